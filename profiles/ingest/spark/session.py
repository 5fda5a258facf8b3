"""A session of Spark, on this machine or on a cluster, whose executors have our code."""

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
    sys.exit("There is no Spark in this Python. bin/_spark makes an environment that has it.")

__all__ = ["SPARK_ERRORS", "Refused", "SparkSession", "open_session"]
SPARK_ERRORS = (PySparkException, Py4JError)
PROJECT = Path(__file__).resolve().parents[3]
QUIET = {"spark.log.level": "ERROR", "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower()}
# Nothing outside this machine needs to reach a driver that has its executors inside.
LOCAL = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


class Refused(Exception):
    """It cannot be done as asked. The message says why and what to do."""


@contextmanager
def open_session(wanted: SparkSession | str | None) -> Iterator[SparkSession]:
    """One that was opened here before, or a new one on that master; spark-submit names the master itself."""
    if isinstance(wanted, SparkSession):
        yield wanted
        return
    session = _start(wanted)
    try:
        with _code() as archive:
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
    """Spark would only say that a gateway has gone."""
    home = os.environ.get("JAVA_HOME")
    if not (os.access(Path(home, "bin", "java"), os.X_OK) if home else shutil.which("java")):
        where = f"in JAVA_HOME={home}" if home else "on this machine"
        raise Refused(f"There is no Java {where}. bin/_spark brings one; or set JAVA_HOME to Java 17 or 21.")


@contextmanager
def _code() -> Iterator[Path]:
    """What executors import, as an archive that lies there for as long as they may ask for it."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "telltale_profiles.zip")
        with ZipFile(archive, "w") as into:
            for file in (PROJECT / "profiles" / "__init__.py", *PROJECT.glob("profiles/ingest/**/*.py")):
                into.write(file, file.relative_to(PROJECT))
        yield archive
