"""Guessing a label across carriers: what was learnt on some is tried on the others.

The guesser is a ridge regression of each class's membership, from scikit-learn, on kernels: it is linear, has one
solution, and needs no random start. For each task it names the class whose estimated share exceeds most what it is in
training, which is the best guess where every class counts alike. A ridge is linear in the labels too, so the answers
to any number of shuffled labels are one more product of matrices: shuffled suites go through the very same
cross-validation as the true one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut
from sklearn.preprocessing import KernelCenterer

from askfirst.audit.entries import Entry
from askfirst.audit.guessers.base import Guesser
from askfirst.audit.targets import Target
from askfirst.statistics.balanced import Floats, balanced_accuracy

Integers = NDArray[np.int_]

SHUFFLES = 999
MOST_FOLDS = 20
"""Up to so many carriers, each is left out in turn; of more, several at a time."""

SEED = 20261130
"""Of everything in an audit that is drawn, so that the same suite gives the same numbers."""
_PENALTY = 1.0
"""Beside kernels whose mean diagonal is one."""
_TINY = 1e-9


@dataclass(frozen=True)
class Features:
    """What a guesser looks at, as numbers: tasks by features."""

    names: tuple[str, ...]
    values: Floats


@dataclass(frozen=True)
class Sight:
    """What a guesser gets to see for one target."""

    names: tuple[str, ...]
    raw: Floats
    """The values as they are."""
    seen: Floats
    """The same against their mean, or against the mean of the pair, and scaled where the guesser wants it."""


@dataclass(frozen=True)
class Guesses:
    """How well one label was guessed, and what would have come of shuffled ones."""

    credit: Floats
    """How far the guess at each task is right: 1, 0, or a part where the guesser is torn between classes."""
    members: Floats
    """Tasks by classes: 1 where the class is the true one."""
    score: float
    shuffled: Floats
    """The scores under shuffled labels."""
    weights: tuple[tuple[Integers, Floats], ...]
    """For each fold its test tasks, and the weights, features by classes, that guessed at them."""


def folds(carriers: Sequence[str]) -> Iterator[tuple[Integers, Integers]]:
    """Training and test tasks of every fold; a carrier's tasks, and so the arms of a pair, are always in one."""
    numbers = np.unique(carriers, return_inverse=True)[1]
    few = numbers.max() < MOST_FOLDS
    splitter = LeaveOneGroupOut() if few else GroupKFold(n_splits=MOST_FOLDS)
    yield from splitter.split(numbers, groups=numbers)


def features_of(entries: Sequence[Entry], guesser: Guesser) -> Features:
    """The features of all tasks, in the order of their names."""
    vectorizer = DictVectorizer(sparse=False)
    values = vectorizer.fit_transform([dict(guesser.features(entry.task)) for entry in entries])
    return Features(tuple(map(str, vectorizer.get_feature_names_out())), values)


def look(features: Features, carriers: Sequence[str], target: Target, *, scaled: bool) -> Sight:
    """What is seen of these features, without those that show in one carrier alone and so say nothing of others.

    No label is looked at, so this may be done once for all folds.
    """
    values = features.values
    against = values - (_pair_means(values) if target.within_pair else values.mean(axis=0))
    kept = _shared(against if target.within_pair else values, carriers) & (np.ptp(against, axis=0) > _TINY)
    seen = against[:, kept]
    if scaled:
        seen = seen / np.sqrt((seen**2).mean(axis=0))
    names = tuple(name for name, keep in zip(features.names, kept, strict=True) if keep)
    return Sight(names, values[:, kept], seen)


def _pair_means(raw: Floats) -> Floats:
    """Each task's mean of its pair; the arms of a pair stand side by side."""
    return np.repeat((raw[0::2] + raw[1::2]) / 2, 2, axis=0)


def _shared(shown: Floats, carriers: Sequence[str]) -> NDArray[np.bool_]:
    """Which features are there, or differ within a pair, in two carriers or more."""
    numbers = np.unique(carriers, return_inverse=True)[1]
    there = np.zeros((numbers.max() + 1, shown.shape[1]), dtype=bool)
    np.logical_or.at(there, numbers, np.abs(shown) > _TINY)
    return np.asarray(there.sum(axis=0) > 1)


class Labels(NamedTuple):
    """One label of all tasks, and of suites in which it is shuffled."""

    classes: tuple[str, ...]
    """Those that there are."""
    members: Floats
    """Tasks by suites by classes: 1 where the class is the task's, in the true suite and then in the shuffled ones."""


def labels_of(entries: Sequence[Entry], target: Target) -> Labels:
    """The label of every task, and what it would be in shuffled suites."""
    names = [target.label(entry.task) for entry in entries]
    classes = tuple(name for name in target.classes if name in names)
    labels = np.array([classes.index(name) for name in names])
    all_labels = np.concatenate([labels[None], shuffles(labels, [entry.lever for entry in entries], SHUFFLES)])
    members = np.stack([(all_labels == number).T for number in range(len(classes))], axis=-1)
    return Labels(classes, members.astype(float))


def guess(sight: Sight, carriers: Sequence[str], labels: Labels) -> Guesses:
    """Guess the labels, and those of the shuffled suites."""
    members = labels.members
    learnt = learn(sight, carriers, members[:, 0])
    flat = members.reshape(len(members), -1)
    shares = learnt.means @ flat
    # In a centred kernel what all tasks have in common counts for nothing: the answers are shares above the mean.
    excess = (learnt.answers @ flat / np.where(shares > 0, shares, 1.0)).reshape(members.shape)
    best = excess >= excess.max(axis=-1, keepdims=True) - _TINY
    credit = (best * members).sum(axis=-1) / best.sum(axis=-1)
    scores = balanced_accuracy(credit, members)
    return Guesses(credit[:, 0], members[:, 0], float(scores[0]), scores[1:], learnt.weights)


class Learnt(NamedTuple):
    """A whole cross-validation, in the order of the tasks."""

    answers: Floats
    """Tasks by tasks: how the answer at each follows from the labels of those that it was learnt on."""
    means: Floats
    """Tasks by tasks: gives the mean of those labels."""
    weights: tuple[tuple[Integers, Floats], ...]


def learn(sight: Sight, carriers: Sequence[str], members: Floats) -> Learnt:
    """Learn on the training tasks of every fold. Only the weights depend on the labels."""
    kernel = sight.seen @ sight.seen.T
    kernel /= max(np.trace(kernel) / len(kernel), _TINY)
    answers, means = np.zeros_like(kernel), np.zeros_like(kernel)
    weights = []
    for train, test in folds(carriers):
        centred = KernelCenterer().fit(kernel[np.ix_(train, train)])
        ridge = KernelRidge(alpha=_PENALTY, kernel="precomputed")
        ridge.fit(centred.transform(kernel[np.ix_(train, train)]), np.eye(len(train)))
        answers[np.ix_(test, train)] = ridge.predict(centred.transform(kernel[np.ix_(test, train)]))
        means[np.ix_(test, train)] = 1 / len(train)
        shares = members[train].mean(axis=0)
        by_class = sight.seen[train].T @ ridge.dual_coef_ @ members[train] / np.where(shares > 0, shares, 1.0)
        weights.append((test, by_class))
    return Learnt(answers, means, tuple(weights))


def shuffles(labels: Integers, levers: Sequence[str], times: int) -> Integers:
    """The labels as they might be if they had nothing to do with the texts.

    All pairs of a lever keep or swap their two labels together, since the texts by which their arms differ are the
    same ones; were each pair swapped by itself, a suite would look the surer the more copies it has. Where pairs have
    different labels, levers exchange them, as blocks.
    """
    rng = np.random.default_rng(SEED)
    pairs = labels.reshape(-1, 2)
    numbers = np.unique(levers[::2], return_inverse=True)[1]
    blocks = [np.flatnonzero(numbers == number) for number in range(numbers.max() + 1)]
    places = np.concatenate(blocks)
    shuffled = np.empty((times, *pairs.shape), dtype=labels.dtype)
    for one in shuffled:
        one[places] = pairs[np.concatenate([blocks[number] for number in rng.permutation(len(blocks))])]
        swapped = rng.integers(0, 2, len(blocks)).astype(bool)[numbers]
        one[swapped] = one[swapped][:, ::-1]
    return shuffled.reshape(times, -1)
