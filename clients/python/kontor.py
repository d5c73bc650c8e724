"""A client of Kontor in one file, for Python 3.9 and later, with the standard library alone.

    from kontor import Client
    kontor = Client("https://erp.example.com", key=os.environ["KONTOR_KEY"])
    for partner in kontor.model("core.partner").all([["city", "=", "Oslo"]], ["name"]):
        print(partner["name"])

Every refusal is an exception of its own class. Calls that fail for reasons that pass are sent again, changes with an
idempotency key, so that each is done once. Numbers with decimals come as `decimal.Decimal`, exact to the last digit.
"""

import decimal
import http.client
import json
import random
import threading
import time
import urllib.parse
import uuid

__all__ = [
    "Client", "Records", "Receipt", "RpcError", "InvalidArgsError", "UnauthorizedError", "AccessDeniedError",
    "NotFoundError", "ConflictError", "ValidationError", "UserError", "RateLimitedError", "UnavailableError",
    "InternalError", "NetworkError", "HeldError",
]

PAGE = 500
# What one `create_many` takes: so many records, and a body of 4 MB with its other arguments.
MOST_CREATED = 10_000
MOST_BYTES = 3_900_000


class RpcError(Exception):
    """A call that was refused: `code`, `details`, the HTTP `status` (0: no answer came) and `request_id`."""

    def __init__(self, code, message, details=None, status=0, request_id=None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details or {}
        self.status = status
        self.request_id = request_id


class InvalidArgsError(RpcError):
    """The arguments do not fit the method: a mistake in the program."""


class UnauthorizedError(RpcError):
    """No key or session, or one that is over."""


class AccessDeniedError(RpcError):
    """Not for this caller; `details` has `model`, `operation` and `layer`."""


class NotFoundError(RpcError):
    """A record, model or action that is not there, or not for the caller to see."""

    @property
    def missing_ids(self):
        return self.details.get("missing_ids", [])


class ConflictError(RpcError):
    """Somebody else changed the same meanwhile."""

    @property
    def fields(self):
        """Fields that both sides changed differently: `{name: {base, mine, theirs}}`."""
        return self.details.get("fields", {})

    @property
    def id(self):
        """The record, where several were written."""
        return self.details.get("id")

    @property
    def reason(self):
        """Of a cursor of the feed: it is `expired`, or of another `history` of the database. Begin again."""
        return self.details.get("reason")

    @property
    def theirs(self):
        return {name: field.get("theirs") for name, field in self.fields.items()}

    @property
    def ours(self):
        return {name: field.get("mine") for name, field in self.fields.items()}


class ValidationError(RpcError):
    """Values that the record cannot have."""

    @property
    def fields(self):
        return self.details.get("fields", {})

    @property
    def rows(self):
        """Bad rows of a call with many, by their place."""
        return self.details.get("rows", [])


class UserError(RpcError):
    """A rule of the business said no; the message is for the person."""


class RateLimitedError(RpcError):
    """Too many calls; `details["retry_after"]` has the seconds to wait."""


class UnavailableError(RpcError):
    """The server is starting, stopping or without its database."""


class InternalError(RpcError):
    """Something went wrong inside the server; its log has more under `request_id`."""


class NetworkError(RpcError):
    """No answer came."""


class HeldError(RpcError):
    """The call of an agent waits for approval: nothing has changed yet."""

    @property
    def proposal(self):
        """The id in `sys.proposal`, which has its state, the note of the person who decides, and the change set once approved."""
        return self.details["proposal"]

    @property
    def changes(self):
        """What the call would change."""
        return self.details["changes"]


_CLASSES = {
    "INVALID_JSON": InvalidArgsError,
    "INVALID_ARGS": InvalidArgsError,
    "UNAUTHORIZED": UnauthorizedError,
    "CSRF_INVALID": UnauthorizedError,
    "ACCESS_DENIED": AccessDeniedError,
    "METHOD_NOT_ALLOWED": InvalidArgsError,
    "MODEL_NOT_FOUND": NotFoundError,
    "NOT_FOUND": NotFoundError,
    "ACTION_NOT_FOUND": NotFoundError,
    "CONFLICT": ConflictError,
    "PAYLOAD_TOO_LARGE": InvalidArgsError,
    "UNSUPPORTED_MEDIA_TYPE": InvalidArgsError,
    "VALIDATION_ERROR": ValidationError,
    "USER_ERROR": UserError,
    "RATE_LIMITED": RateLimitedError,
    "INTERNAL_ERROR": InternalError,
    "NOT_INITIALISED": UnavailableError,
    "UNAVAILABLE": UnavailableError,
    "NETWORK": NetworkError,
}
_READING = {"search", "search_read", "read", "read_group", "onchange"}
_PASSING = {"RATE_LIMITED", "UNAVAILABLE", "NETWORK"}


class Receipt:
    """What a call gave back, and the change set by which it can be undone (None where nothing changed)."""

    def __init__(self, result, change_set, can_undo, request_id):
        self.result = result
        self.change_set = change_set
        self.can_undo = can_undo
        self.request_id = request_id


class Client:
    """A server of Kontor, in somebody's name: by an API key, or by `login`. Safe to use from several threads."""

    def __init__(self, url, key=None, attempts=6, first_seconds=0.25, most_seconds=60, timeout=120, sleep=time.sleep):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("Say where the server is, such as https://erp.example.com.")
        self.url = url.rstrip("/")
        self._parts = parts
        self._key = key
        self._csrf = None
        self._cookies = {}
        self._attempts = attempts
        self._first = first_seconds
        self._most = most_seconds
        self._timeout = timeout
        self._sleep = sleep
        self._local = threading.local()

    def model(self, name):
        """The records of a model."""
        return Records(self, name)

    def login(self, login, password):
        """Signs in with a password, instead of a key."""
        answer, headers = self._post("/web/login", {"login": login, "password": password}, {})
        for line in headers.get_all("set-cookie") or []:
            name, _, value = line.split(";", 1)[0].partition("=")
            self._cookies[name] = value
        if "csrfToken" not in answer["result"]:
            raise UnauthorizedError("UNAUTHORIZED", "This person has a second factor: use an API key.")
        self._csrf = answer["result"]["csrfToken"]

    def send(self, model, method, args=(), **kwargs):
        """One call as it goes over the wire; a Receipt."""
        call = {"model": model, "method": method, "args": list(args), "kwargs": kwargs}
        extra = {} if method in _READING else {"Idempotency-Key": str(uuid.uuid4())}
        answer, headers = self._post("/api/rpc", call, extra)
        change_set = headers.get("x-change-set")
        return Receipt(
            answer["result"],
            None if change_set is None else int(change_set),
            headers.get("x-undo") != "no",
            headers.get("x-request-id"),
        )

    def undo(self, change_set):
        """Takes back what a call changed, if nobody built on it since."""
        self.send("sys.change.set", "call", [change_set, "action_revert"])

    def cursor(self):
        """The cursor to follow from, before all records are read for the first time."""
        rows = self.send("sys.feed", "search_read", [[["cursor", ">", "now"]]], limit=PAGE).result
        return rows[-1]["cursor"]

    def follow(self, cursor, models=(), until_quiet=False, every_seconds=2):
        """Pages `(changes, cursor)` of what changes after a cursor, deletions included; nothing is missed.

        A change has `model`, `id`, `operation` (`create`, `write`, `unlink`), `fields`, `at` and `change_set`. Keep the cursor once
        all of a page is dealt with. With `until_quiet` it ends when there is nothing more for now.
        """
        about = [["model", "in", list(models)]] if models else []
        while True:
            rows = self.send("sys.feed", "search_read", [[["cursor", ">", cursor], *about]], limit=PAGE).result
            if rows:
                cursor = rows[-1]["cursor"]
                yield [_change(row) for row in rows if row["operation"] != "skip"], cursor
            if len(rows) == PAGE:
                continue
            if until_quiet:
                return
            self._sleep(every_seconds)

    def _post(self, path, value, extra):
        """Sends until there is an answer, as long as that may still change. Every try has the same body and headers."""
        body = json.dumps(value, default=_plain, ensure_ascii=False).encode("utf-8")
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._once(path, body, extra)
            except RpcError as error:
                asked = float(error.details.get("retry_after") or 0)
                longest = min(self._most, self._first * 2 ** (attempt - 1))
                wait = max(asked, random.random() * longest)
                if error.code not in _PASSING or attempt >= self._attempts or wait > self._most:
                    raise
                self._sleep(wait)

    def _once(self, path, body, extra):
        headers = {"Content-Type": "application/json", "Accept": "application/json", **extra, **self._who()}
        try:
            connection = self._connection()
            connection.request("POST", self._parts.path.rstrip("/") + path, body, headers)
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._drop()
            raise NetworkError("NETWORK", f"No answer from {self.url}: {error}") from error
        if response.getheader("connection", "").lower() == "close":
            self._drop()
        answer = _envelope(text)
        if response.status == 202 and answer is not None:
            held = answer["result"]
            message = f"The call waits for approval, as proposal {held['proposal']}. Nothing has changed yet."
            raise HeldError("HELD", message, held, 202, response.getheader("x-request-id"))
        if response.status < 300 and answer is not None:
            return answer, response.headers
        raise _refusal(answer, response)

    def _who(self):
        who = {}
        if self._key:
            who["X-API-Key"] = self._key
        elif self._csrf:
            who["X-CSRF-Token"] = self._csrf
        if self._cookies:
            who["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return who

    def _connection(self):
        connection = getattr(self._local, "connection", None)
        if connection is None:
            kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
            connection = kind(self._parts.hostname, self._parts.port, timeout=self._timeout)
            self._local.connection = connection
        return connection

    def _drop(self):
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None


class Records:
    """The records of one model, as far as they are for the caller. Methods and arguments are those of the endpoint."""

    def __init__(self, client, name, how="plain"):
        self._client = client
        self.name = name
        self._how = how

    @property
    def dry_run(self):
        """The same changes, taken back at once: `{dry_run, result, changes}`."""
        return Records(self._client, self.name, "dry")

    @property
    def receipt(self):
        """The same changes, which also tell the change set by which they can be undone."""
        return Records(self._client, self.name, "receipt")

    def search(self, domain=(), **options):
        """Records, not ids as in the code of addons, with their default fields: no files and no x2many."""
        return self._ask("search", [list(domain)], **options)

    def search_read(self, domain, fields=None, **options):
        """Records with exactly the fields asked for; `limit` (500 at most), `offset` and `order`."""
        return self._ask("search_read", [list(domain), fields], **options)

    def read(self, ids, fields=None):
        return self._ask("read", [list(ids), fields])

    def all(self, domain=(), fields=None, order=None, page=PAGE):
        """Every record that matches, however many, a page at a time.

        By id each page begins after the last record of the one before, so that nothing is told twice or left out while records
        come and go. In another order pages are counted off, with the id to break ties.
        """
        by_id = order in (None, "id", "-id")
        last, offset = None, 0
        while True:
            rest = [] if last is None else [["id", "<" if order == "-id" else ">", last]]
            how = {"order": order or "id"} if by_id else {"order": f"{order}, id", "offset": offset}
            rows = self._ask("search_read", [[*domain, *rest], fields], limit=min(page, PAGE), **how)
            yield from rows
            if len(rows) < min(page, PAGE):
                return
            last = rows[-1]["id"] if by_id else None
            offset += len(rows)

    def read_group(self, **spec):
        return self._ask("read_group", [{"domain": [], "groupby": [], "fields": [], **spec}])

    def count(self, domain=()):
        rows = self.read_group(domain=list(domain))
        return rows[0]["__count"] if rows else 0

    def onchange(self, values, changed, **options):
        return self._ask("onchange", [values, changed], **options)

    def create(self, values):
        return self._change("create", [values])

    def create_many(self, rows, external_ids=None, upsert=None):
        """Ids in the order of the rows. One call takes 10,000 records and 4 MB, all or none.

        More are sent in several calls: if a later one fails, its error has the ids of those before it in
        `details["created_ids"]`. `dry_run` and `receipt` are always one call.
        """
        rows = list(rows)
        parts = _parts(rows, external_ids) if self._how == "plain" else []
        if len(parts) <= 1:
            return self._create_many(rows, external_ids, upsert)
        created = []
        for at, end in parts:
            try:
                created += self._create_many(rows[at:end], external_ids and external_ids[at:end], upsert)
            except RpcError as error:
                if at > 0:
                    error.details = {**error.details, "created_ids": created}
                    for row in error.details.get("rows", []):
                        row["index"] += at
                raise
        return created

    def _create_many(self, rows, external_ids, upsert):
        given = {"external_ids": external_ids, "upsert": upsert}
        return self._change("create_many", [rows], **{name: value for name, value in given.items() if value is not None})

    def write(self, ids, values, base=None):
        """With `base`, the values that the caller saw, what others changed meanwhile is merged, or it is a ConflictError."""
        return self._change("write", [_ids(ids), values], **({} if base is None else {"base": base}))

    def write_each(self, rows):
        """Each of `{id, values, base}` with values and a base of its own, all or none."""
        each = [{name: row[name] for name in ("values", "base") if row.get(name) is not None} for row in rows]
        return self._change("write_many", [[row["id"] for row in rows], {}], each=each)

    def unlink(self, ids):
        return self._change("unlink", [_ids(ids)])

    def call(self, ids, action, **answers):
        """Runs an action, on one record or on several, with answers to what it asks."""
        if isinstance(ids, int):
            return self._change("call", [ids, action, answers])
        return self._change("call", [0, action, {**answers, "active_ids": ",".join(map(str, ids))}])

    def save(self, id, values, base, resolve):
        """Writes what was changed since `base`. Where others changed the same, `resolve(conflict)` says what it shall be."""
        values, base = dict(values), dict(base)
        for attempt in range(10):
            try:
                return self.write(id, values, base)
            except ConflictError as conflict:
                if not conflict.fields or attempt == 9:
                    raise
                kept = {name: value for name, value in values.items() if name not in conflict.fields}
                values = {**kept, **resolve(conflict)}
                base.update(conflict.theirs)

    def by_external_id(self, external_ids):
        """Ids of records by the names that programs gave them; those that are not there are left out."""
        found, names = {}, list(external_ids)
        for at in range(0, len(names), PAGE):
            domain = [["model", "=", self.name], ["external_id", "in", names[at:at + PAGE]]]
            rows = self._client.send("sys.external.id", "search_read", [domain, ["external_id", "res_id"]], limit=PAGE).result
            found.update((row["external_id"], row["res_id"]) for row in rows)
        return found

    def _ask(self, method, args, **kwargs):
        return self._client.send(self.name, method, args, **kwargs).result

    def _change(self, method, args, **kwargs):
        if self._how == "dry":
            kwargs["dry_run"] = True
        receipt = self._client.send(self.name, method, args, **kwargs)
        return receipt if self._how == "receipt" else receipt.result


def _ids(ids):
    return [ids] if isinstance(ids, int) else list(ids)


def _parts(rows, external_ids):
    """Where each call begins and ends, by number and by size. A row that is too large alone is left to the server's answer."""
    parts, start, size = [], 0, 0
    for at, row in enumerate(rows):
        length = _length(row) + (_length(external_ids[at]) if external_ids else 0)
        if at > start and (at - start >= MOST_CREATED or size + length > MOST_BYTES):
            parts.append((start, at))
            start, size = at, 0
        size += length
    return [*parts, (start, len(rows))]


def _length(value):
    return len(json.dumps(value, default=_plain, ensure_ascii=False).encode("utf-8")) + 2


def _plain(value):
    if isinstance(value, decimal.Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no value of a record.")


def _change(row):
    names = ("cursor", "model", "operation", "at", "change_set")
    return {**{name: row[name] for name in names}, "id": row["res_id"], "fields": row["fields"] or []}


def _envelope(text):
    try:
        answer = json.loads(text, parse_float=decimal.Decimal)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) and "ok" in answer else None


def _refusal(answer, response):
    """What is not the envelope comes from something in between, which may be gone at the next try."""
    wait = response.getheader("retry-after", "")
    more = {"retry_after": int(wait)} if wait.isdigit() else {}
    request_id = response.getheader("x-request-id")
    if answer is not None and answer.get("error"):
        error = answer["error"]
        kind = _CLASSES.get(error["code"], RpcError)
        return kind(error["code"], error["message"], {**error["details"], **more}, response.status, request_id)
    code = "RATE_LIMITED" if response.status == 429 else "UNAVAILABLE" if response.status >= 500 else "INVALID_ARGS"
    return _CLASSES[code](code, f"The server answered {response.status}.", more, response.status, request_id)
