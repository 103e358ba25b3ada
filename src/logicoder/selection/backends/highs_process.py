"""The process in which HiGHS runs: arrays come in, the solution goes out, nothing else is imported.

HiGHS as SciPy calls it cannot be interrupted, and what is left of it ends a process badly; a process of its
own can be ended at any time.
"""

import io
import sys

import numpy as np


def solved(given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return status, bound and values of the variables, if there is a solution."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415  (takes half a second to import)
    from scipy.sparse import csr_array  # noqa: PLC0415

    cost = given["cost"]
    matrix = csr_array(
        (given["coefficients"], given["variables"].astype(np.int32), given["starts"].astype(np.int32)),
        shape=(len(given["lower"]), len(cost)),
    )
    options = {"mip_rel_gap": 0.0, "time_limit": float(given["seconds"])}
    found = milp(
        cost,
        integrality=np.ones(len(cost)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, given["lower"], given["upper"]),
        options=options,
    )
    bound = -np.inf if found.mip_dual_bound is None else found.mip_dual_bound
    values = np.empty(0) if found.x is None else found.x
    return {"status": np.array(found.status), "bound": np.array(bound), "values": values}


def packed(arrays: dict[str, np.ndarray]) -> bytes:
    """Return arrays as bytes."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def unpacked(data: bytes) -> dict[str, np.ndarray]:
    """Return the arrays that `packed` made bytes of."""
    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        return dict(found)


if __name__ == "__main__":
    sys.stdout.buffer.write(packed(solved(unpacked(sys.stdin.buffer.read()))))
