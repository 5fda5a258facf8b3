"""Everything that a probe computes, over as many answers as Dreaddit has texts, three genders and two repetitions.

.venv/bin/python -m tests.benchmarks.probes --check

The plain way is GenderBench's: each metric anew from the attempts of each resample. It is measured on some of the 1,000
resamples. Where GenderBench is installed, its own calculation is measured as well.
"""

import os
import random
import time

ITEMS, REPETITIONS, RESAMPLES, MEASURED = 3553, 2, 1000, 10

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    import numpy as np

    from evaluation.probes.dreaddit import PROBE
    from evaluation.probes.rates import count_table
    from evaluation.probes.report import Subject, build_report
    from evaluation.probes.resamples import draw_weights
    from evaluation.probes.settings import ProbeSettings
    from evaluation.stats.estimates import Sums
    from evaluation.stats.normal_fit import normal_interval
    from tests.benchmarks.table import Bar, Row, best_of, report, wall_and_cpu
    from tests.evaluation.probes.answers import random_answers
    from tests.evaluation.probes.study_metrics import study_metrics

    evaluated = random_answers(np.random.default_rng(1), ITEMS, REPETITIONS)
    settings = ProbeSettings(repetitions=REPETITIONS, bootstrap=RESAMPLES)
    subject = Subject("benchmark", "model", "metric:probe")

    def intervals() -> None:
        sums = Sums.of(count_table(evaluated), draw_weights(ITEMS, RESAMPLES, 123))
        for metric in PROBE.metrics.values():
            normal_interval(sums.apply(metric).resampled)

    def plainly() -> float:
        generator = random.Random(123)  # noqa: S311
        began = time.perf_counter()
        for _ in range(MEASURED):
            study_metrics(evaluated, generator.choices(range(ITEMS), k=ITEMS))
        return (time.perf_counter() - began) * RESAMPLES / MEASURED

    whole, cpu = wall_and_cpu(lambda: build_report(PROBE, evaluated, settings, subject, {}))
    ours, plain = best_of(3, intervals), plainly()
    attempts = ITEMS * 3 * REPETITIONS
    rows = [
        Row("the whole report", whole, attempts, cpu),
        Row("metrics with 1,000 resamples", ours, attempts),
        Row(f"the same, attempt by attempt, from {MEASURED} resamples", plain, attempts),
    ]
    bars = [
        Bar("seconds of CPU for the whole report", cpu, at_most=10),
        Bar("attempt by attempt, against ours", plain / ours, at_least=10),
    ]
    theirs = _genderbench(evaluated, settings)
    if theirs is not None:
        rows.append(Row("GenderBench's own calculation", theirs, attempts))
        bars.append(Bar("GenderBench's own, against ours", theirs / ours, at_least=10))
    report("Probes", rows, bars)


def _genderbench(evaluated, settings) -> float | None:
    try:
        import nltk
        from genderbench.probes import DreadditProbe
        from genderbench.probing.probe import status
    except ImportError:
        return None
    import tempfile

    from evaluation.probes.dreaddit import PROBE, load_template
    from evaluation.probes.genderbench_log import log_line
    from evaluation.probes.report import Subject, build_report

    nltk.download = lambda *names, **options: False
    report = build_report(PROBE, evaluated, settings, Subject("benchmark", "model", "x"), {})
    line = log_line(PROBE, evaluated, report, load_template(), settings)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(line + "\n")
        file.flush()
        probe = DreadditProbe.from_log_file(file.name)
    probe.status, probe.log_strategy = status.EVALUATED, "no"
    began = time.perf_counter()
    probe.calculate_metrics()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
