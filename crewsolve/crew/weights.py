"""Weights of the rule of thumb, by feature and phase; `thumb` says what they mean.

Learnt from random deals of seed 77, plain tasks at 3 to 5 players and the special missions, by a
forerunner of `python benchmarks/crew_games.py learn` with another mix of them; a new run there
gives other weights. A test holds names and order to those of `thumb`.
"""

from __future__ import annotations

import numpy as np

from .deals import Floats
from .thumb import FEATURES, PHASES

_TABLE = """
                            lead      follow follow-task     discard
rank                    0.039    0.822   -1.242    2.025
rocket                 -9.311    0.000    0.000    0.173
rocket-rank            -6.496   -7.617   -0.660   -5.125
takes                   0.000    2.383   -2.616    0.705
holds                   6.114    4.086   -0.300    4.810
home                   10.539    8.970   12.333    6.677
missed                 -8.107  -10.248  -12.333  -20.211
failed                 -4.044   -7.796   -9.342  -11.726
own-task                2.750    1.578    3.109   -2.355
task-of-other           1.565    1.088    3.735    8.959
too-early             -19.088  -20.070   -7.624  -23.072
draws-own              15.649   15.774    5.493   15.932
draws-other            14.775   25.495    6.077   26.976
forces                -10.027   -9.928   -6.012  -10.769
others-can-discard     17.671    0.000    0.000    0.000
blocks                 -2.358   -1.277   -0.433    0.639
needed-high            -3.365   -2.425   -2.160   -2.215
below-own              -5.061    1.096    0.406    4.284
safe-duck              -0.621    0.135   -1.707   -2.764
length                  1.096   -0.000    0.000   -2.167
singleton               1.170    0.000    0.000    2.233
highest                 0.360   -1.894   -1.660   -1.240
lowest                  0.095   -4.429   -0.191    0.337
above                   5.494    1.735   -1.042    1.048
below                   5.824   -1.735    1.042    4.040
takes-idle              0.000   -0.727   -3.170    0.101
takes-needed            0.000    1.196   -0.061    2.038
sheds                   0.000    1.571   -1.430    1.940
takes-high             -1.564   -0.325    1.874   -4.796
task-held              -2.952   -1.088   -3.735   -1.172
own-task-held           2.985   -1.578   -3.109   -6.556
wanted-winner           6.648   18.542    0.000   13.866
goal-card               8.826   15.046    7.327    8.938
rocket-needed           5.720   -0.000    0.000   -0.458
ruffable                1.804    0.000    0.000    0.000
voids-for-task          1.917    0.000    0.000    0.320
lead-to-owner           5.392    0.000    0.000    0.000
takes-for-held          0.000   -0.491   -0.873   -5.594
sheds-blocker           0.000    0.878    3.040    0.639
guard                  -1.379   -0.966   -3.943   -6.188
draws-known             8.914    2.098    6.456    0.960
own-suit-control       -0.019    0.000    0.000    0.000
"""


def read_weights(text: str) -> Floats:
    """The table as the kernel reads it, a row for each phase."""
    head, *rows = (line.split() for line in text.strip().splitlines())
    assert tuple(head) == PHASES
    assert tuple(row[0] for row in rows) == FEATURES
    return np.array([[float(value) for value in row[1:]] for row in rows]).T.copy()


def write_weights(weights: Floats) -> str:
    """The table of some weights, to be put into this module."""
    lines = ["".join(f"{phase:>12}" for phase in PHASES)]
    for name, row in zip(FEATURES, weights.T, strict=True):
        lines.append(f"{name:20}" + "".join(f"{value:9.3f}" for value in row))
    return "\n".join(lines)


WEIGHTS = read_weights(_TABLE)
