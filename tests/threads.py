"""One thread for linear algebra, as in the workers. Loaded first, because pytest-randomly loads numpy.

Threads of a product wait for each other in a loop, which takes far more CPU time than one thread where cores are busy.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
