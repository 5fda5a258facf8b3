"""A gunicorn worker that reads a whole request before a thread gets it, so that slow clients hold no thread.

gunicorn's own threaded worker gives a connection to a thread with its first byte, and the thread then waits for the
rest: as many slow clients as threads stop the site. It also waits in its main loop for clients to close. Here the main
loop does all the waiting, for many connections at once. docs/decisions/0016-slow-clients.md says why and what remains.
"""

import resource
import select
import selectors
import socket
import struct
import time
from collections import deque
from concurrent.futures import Future
from functools import partial
from typing import Any

from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import TConn, ThreadWorker

from annotator.config.arrival import Arrival, State

ARRIVAL_SECONDS = 30.0  # for a request of up to 1 MB
LINGER_SECONDS = 2.0  # for a client to close after us, so that it can read the response to its end
STALL_SECONDS = 30  # for a client to take or send anything, while a thread waits for it
SWEEP_SECONDS = 0.5
PIECE = 64 * 1024
SEND_BUFFER = 1024 * 1024  # the kernel grants less; a page fits, so a thread need not wait for a slow reader
MAX_BUFFERED = 64 * 1024 * 1024  # bytes of unfinished requests in this process
MAX_FILES = 8192
SPARE_FILES = 200  # for the database, logs and uploads
MAX_WAITING_UPLOADS = 16
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
BUSY = "503 Service Unavailable"


class ArrivedBytes(SocketUnreader):  # type: ignore[misc]
    """What gunicorn's parser reads: the bytes that have arrived. From the socket only the rest of a large body."""

    reads_socket = False

    def chunk(self, size_hint: int | None = None) -> bytes:
        return bytes(super().chunk(size_hint)) if self.reads_socket else b""


class Connection(TConn):  # type: ignore[misc]
    is_idle = False  # between two requests
    is_large = False
    deadline = 0.0
    drained = 0

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(cfg, sock, client, server)
        self.arrival = Arrival()
        stall = struct.pack("ll", STALL_SECONDS, 0)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, stall)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, stall)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def hand_over(self) -> int:
        """Give the parser the bytes of one request. Return how many."""
        self.is_large = self.arrival.state is State.LARGE
        self.init()
        if not isinstance(self.parser.unreader, ArrivedBytes):
            self.parser.unreader = ArrivedBytes(self.sock)
        request = self.arrival.take()
        self.parser.unreader.reads_socket = self.is_large
        self.parser.unreader.unread(request)
        return len(request)

    @property
    def is_writable(self) -> bool:
        """Whether the client has taken enough of earlier responses for another one."""
        poll = select.poll()
        poll.register(self.sock, select.POLLOUT)
        return bool(poll.poll(0))


class BufferingWorker(ThreadWorker):  # type: ignore[misc]
    quiet_seconds, few_requests = 60.0, 50  # a process that has served more ends when it has been quiet for so long

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.waiting: dict[Connection, None] = {}  # connections that the main loop waits for, oldest first
        self.uploads: deque[Connection] = deque()  # large requests that wait for a thread
        self.uploading = 0
        self.max_uploading = max(1, self.cfg.threads // 2)
        self.buffered = 0
        self.capacity = self.worker_connections
        self.next_sweep = 0.0
        self.busy_at = time.monotonic()

    def init_process(self) -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        files = min(hard, MAX_FILES) if hard != resource.RLIM_INFINITY else MAX_FILES
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
        self.capacity = min(self.worker_connections - 1, files - SPARE_FILES)
        super().init_process()

    # ── Connections that the main loop waits for ────────────────────────────

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection. If there are too many, close the one that has kept us waiting longest."""
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):  # another process was faster, or the client left
            return
        except OSError:  # out of files
            self.drop_oldest()
            return
        self.nr_conns += 1
        self.busy_at = time.monotonic()
        conn = Connection(self.cfg, client, address, listener.getsockname())
        self.wait(conn, ARRIVAL_SECONDS, self.receive)
        self.receive(conn, client)  # the request is often here already
        if self.nr_conns > self.capacity:
            self.drop_oldest()

    def wait(self, conn: Connection, seconds: float, callback: Any) -> None:
        conn.sock.setblocking(False)
        conn.deadline = time.monotonic() + seconds
        self.waiting[conn] = None
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(callback, conn))

    def stop_waiting(self, conn: Connection) -> None:
        del self.waiting[conn]
        self.poller.unregister(conn.sock)

    def drop(self, conn: Connection) -> None:
        self.stop_waiting(conn)
        self.buffered -= len(conn.arrival.data)
        self.nr_conns -= 1
        conn.close()

    def drop_oldest(self) -> None:
        if self.waiting:
            self.drop(next(iter(self.waiting)))

    def murder_pending(self) -> None:
        """Drop connections whose time is over. gunicorn calls this after each turn of the main loop."""
        now = time.monotonic()
        if now < self.next_sweep:
            return
        self.next_sweep = now + SWEEP_SECONDS
        earlier = 0.0 if self.alive else ARRIVAL_SECONDS - 1  # when we stop, a request has a second to arrive
        for conn in [conn for conn in self.waiting if conn.deadline - earlier <= now]:
            self.drop(conn)
        self.end_if_quiet(now)

    def end_if_quiet(self, now: float) -> None:
        """End a process that nobody uses any more. Its successor shares again what this one has copied."""
        if self.nr_conns:
            self.busy_at = now
        elif self.nr >= self.few_requests and now - self.busy_at > self.quiet_seconds:
            self.alive = False

    def set_accept_enabled(self, enabled: bool) -> None:
        super().set_accept_enabled(enabled)
        if not self.alive:
            for conn in [conn for conn in self.waiting if conn.is_idle]:
                self.drop(conn)
            while self.uploads:
                self.linger(self.uploads.popleft())

    # ── A request arrives ───────────────────────────────────────────────────

    def receive(self, conn: Connection, client: socket.socket) -> None:
        """Read what has arrived, and go on if it is a whole request."""
        if conn not in self.waiting:  # dropped in this turn of the main loop
            return
        data = _read(client)
        if data is None:
            return
        if not data:
            self.drop(conn)
            return
        if conn.is_idle:
            self._begin(conn)
        self.buffered += len(data)
        conn.arrival.add(data)
        self.proceed(conn)
        if self.buffered > MAX_BUFFERED:
            self.drop_oldest()

    def _begin(self, conn: Connection) -> None:
        """The first bytes after a pause: the time for a request starts now."""
        conn.is_idle = False
        conn.deadline = time.monotonic() + ARRIVAL_SECONDS
        self.waiting[conn] = self.waiting.pop(conn)

    def proceed(self, conn: Connection) -> None:
        match conn.arrival.state:
            case State.COMPLETE:
                self.dispatch_once_writable(conn)
            case State.LARGE:
                self.queue_upload(conn)
            case State.REFUSED:
                self.refuse(conn, conn.arrival.refusal)
            case State.PARTIAL if conn.arrival.expects_continue:
                conn.arrival.expects_continue = False
                _send(conn.sock, CONTINUE)

    def dispatch_once_writable(self, conn: Connection) -> None:
        """Wait for clients that ask on without reading the responses: a thread would have to wait for them."""
        if not conn.initialized or conn.is_writable:
            self.dispatch(conn)
        else:
            self.poller.modify(conn.sock, selectors.EVENT_WRITE, partial(self.become_writable, conn))

    def become_writable(self, conn: Connection, _client: socket.socket) -> None:
        if conn in self.waiting:
            self.dispatch(conn)

    def dispatch(self, conn: Connection) -> None:
        self.stop_waiting(conn)
        self.buffered -= conn.hand_over()
        self.enqueue_req(conn)

    def queue_upload(self, conn: Connection) -> None:
        """Let large bodies have half of the threads at most. Others wait, without being read."""
        if self.uploading < self.max_uploading:
            self.uploading += 1
            self.dispatch(conn)
        elif len(self.uploads) < MAX_WAITING_UPLOADS:
            self.stop_waiting(conn)
            self.uploads.append(conn)
        else:
            self.refuse(conn, BUSY)

    def refuse(self, conn: Connection, status: str) -> None:
        self.stop_waiting(conn)
        _send(conn.sock, f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode())
        self.linger(conn)

    # ── A request is answered ───────────────────────────────────────────────

    def handle_request(self, req: Any, conn: Connection) -> bool:
        if conn.is_large:
            req.force_close()  # the parser may have read beyond the body
        return bool(super().handle_request(req, conn))

    def finish_request(self, conn: Connection, future: "Future[Any]") -> None:
        """Keep the connection for the next request, or close it. Runs in the main loop."""
        if conn.is_large:
            self._finish_upload()
        if not (self.alive and not future.cancelled() and not future.exception() and bool(future.result())):
            self.linger(conn)
            return
        conn.is_idle = not conn.arrival.data
        self.wait(conn, self.cfg.keepalive if conn.is_idle else ARRIVAL_SECONDS, self.receive)
        conn.arrival.update()
        self.proceed(conn)

    def _finish_upload(self) -> None:
        self.uploading -= 1
        if self.uploads:
            self.uploading += 1
            conn = self.uploads.popleft()
            self.buffered -= conn.hand_over()
            self.enqueue_req(conn)

    def linger(self, conn: Connection) -> None:
        """End our side, and wait for the client to end its own, so that it gets the whole response."""
        self.buffered -= len(conn.arrival.data)
        conn.arrival.data.clear()
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            self.wait(conn, LINGER_SECONDS, self.drain)
        except (OSError, ValueError):  # it is closed already
            self.waiting.pop(conn, None)
            self.nr_conns -= 1
            conn.close()

    def drain(self, conn: Connection, client: socket.socket) -> None:
        if conn not in self.waiting:
            return
        data = _read(client)
        conn.drained += len(data or b"")
        if data == b"" or conn.drained > PIECE:
            self.drop(conn)


def _read(client: socket.socket) -> bytes | None:
    """What can be read without waiting. None if there is nothing yet, no bytes if the client has ended."""
    try:
        return client.recv(PIECE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _send(client: socket.socket, data: bytes) -> None:
    """Send a few bytes without waiting. They are lost if the client does not read."""
    try:
        client.send(data)
    except OSError:
        return
