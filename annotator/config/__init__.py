import os

# Before Django, Celery or NumPy look.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread for each process: more would only wait for each other
