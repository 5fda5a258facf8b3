"""A Spark session, on this machine or on a cluster, whose executors have our code."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

try:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession
except ModuleNotFoundError:
    sys.exit("Spark is not installed in this Python. bin/_spark creates an environment that has it.")

__all__ = ["SPARK_ERRORS", "SparkRefused", "SparkSession", "open_session"]
SPARK_ERRORS = (PySparkException, Py4JError)
PROJECT = Path(__file__).resolve().parents[3]
QUIET = {"spark.log.level": "ERROR", "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower()}
# With local executors, nothing outside this machine needs to reach the driver.
LOCAL = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


class SparkRefused(Exception):
    """Spark cannot run this. The message says why and what to do."""


@contextmanager
def open_session(session_or_master: SparkSession | str | None) -> Iterator[SparkSession]:
    """Use an open session, or start one on that master; spark-submit names the master itself."""
    if isinstance(session_or_master, SparkSession):
        yield session_or_master
        return
    session = _start(session_or_master)
    try:
        with _code_archive() as archive:
            session.sparkContext.addPyFile(str(archive))
            yield session
    finally:
        session.stop()


def _start(master: str | None) -> SparkSession:
    _need_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("Telltale ingest")
    settings = QUIET | {"spark.sql.session.timeZone": "UTC"}
    if master:
        builder = builder.master(master)
        settings |= LOCAL if master.startswith("local") else {}
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _need_java() -> None:
    """Explain a missing Java; Spark itself only says that its gateway has exited."""
    home = os.environ.get("JAVA_HOME")
    if not (os.access(Path(home, "bin", "java"), os.X_OK) if home else shutil.which("java")):
        where = f"in JAVA_HOME={home}" if home else "on this machine"
        raise SparkRefused(
            f"There is no Java {where}. Run bin/_spark to install it, or set JAVA_HOME to Java 17 or 21."
        )


@contextmanager
def _code_archive() -> Iterator[Path]:
    """Pack what executors import into an archive that exists for as long as they may fetch it."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "telltale_profiles.zip")
        with ZipFile(archive, "w") as into:
            for file in (PROJECT / "profiles" / "__init__.py", *PROJECT.glob("profiles/ingest/**/*.py")):
                into.write(file, file.relative_to(PROJECT))
        yield archive
