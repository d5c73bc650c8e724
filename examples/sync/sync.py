"""Keeps the lines of a file and records of Kontor the same, both ways: python3 sync.py sync.json

The file is that of store.mjs, so that sync.mjs and this program can take over from each other.
"""

import json
import os
import sys

from kontor import Client, ConflictError, NotFoundError

AT_ONCE = 500

with open(sys.argv[1] if len(sys.argv) > 1 else "sync.json", encoding="utf-8") as opened:
    settings = json.load(opened)
fields, domain, prefix = settings["fields"], settings["domain"], settings["prefix"]
kontor = Client(settings["url"], key=os.environ["KONTOR_KEY"])
records = kontor.model(settings["model"])


class Store:
    """The other program's data: one file, of which each line says something new; see store.mjs."""

    def __init__(self, file):
        self.file, self.cursor = file, None
        self.rows, self._by_id, self.change_sets, self.conflicts = {}, {}, set(), []
        if os.path.exists(file):
            self._load()

    def _load(self):
        waiting, whole = [], 0
        with open(self.file, "rb") as lines:
            for text in lines:
                if not text.endswith(b"\n"):
                    break
                line = json.loads(text)
                if "part" in line:
                    waiting.append(line["part"])
                    continue
                self._believe(waiting if line.get("end") else [line])
                waiting = []
                whole = lines.tell()
        if whole < os.path.getsize(self.file):
            os.truncate(self.file, whole)

    def row_of(self, id):
        return self.rows.get(self._by_id.get(id))

    def append(self, lines):
        """Believed and on disk, all of it or nothing."""
        if not lines:
            return
        text = "".join(json.dumps({"part": line}, ensure_ascii=False) + "\n" for line in lines)
        with open(self.file, "a", encoding="utf-8") as file:
            file.write(text + '{"end":true}\n')
        self._believe(lines)

    def tidy(self):
        """The same data in as few lines as they need."""
        lines = [{"put": row} for row in self.rows.values()]
        lines += [{"cursor": self.cursor}] + [{"conflict": each} for each in self.conflicts]
        with open(self.file + ".new", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        os.replace(self.file + ".new", self.file)

    def _believe(self, lines):
        for line in lines:
            for name, value in line.items():
                getattr(self, "_take_" + name)(value)

    def _take_put(self, row):
        self.rows[row["key"]] = row
        if row.get("id"):
            self._by_id[row["id"]] = row["key"]

    def _take_drop(self, key):
        row = self.rows.pop(key, None)
        if row and row.get("id"):
            self._by_id.pop(row["id"], None)

    def _take_cursor(self, cursor):
        self.cursor = cursor

    def _take_changeSet(self, change_set):
        self.change_sets.add(change_set)

    def _take_conflict(self, conflict):
        self.conflicts.append(conflict)

    def _take_edit(self, edit):
        row = {name: value for name, value in self.rows.get(edit["key"], {}).items() if name != "isGone"}
        self._take_put({**row, "key": edit["key"], "values": {**row.get("values", {}), **edit["values"]}})

    def _take_delete(self, key):
        # Kept until Kontor has heard of it, also where its record is not known: a call may be on its way.
        if key in self.rows:
            self._take_put({**self.rows[key], "isGone": True})


store = Store(settings["store"])


def say(*words):
    print(*words, flush=True)


def changed_of(row):
    base = row.get("base") or {}
    return [name for name in fields if row["values"].get(name) != base.get(name)]


def in_parts(rows):
    return [rows[at:at + AT_ONCE] for at in range(0, len(rows), AT_ONCE)]


def begin():
    """The cursor comes first, so that what changes while all records are read is not missed."""
    cursor, page, seen = kontor.cursor(), [], set()
    for record in records.all(domain, fields):
        seen.add(record["id"])
        page.append(record)
        if len(page) == AT_ONCE:
            take(page)
            say("read", len(page))
            page = []
    take(page)
    say("read", len(page))
    gone = [row["key"] for row in store.rows.values() if row.get("id") and row["id"] not in seen]
    store.append([{"drop": key} for key in gone] + [{"cursor": cursor}])


def take(found, others=()):
    """Puts records of Kontor into the file, with other lines in the same piece."""
    keys = keys_of([record["id"] for record in found if store.row_of(record["id"]) is None])
    store.append([to_line(record, keys.get(record["id"])) for record in found] + list(others))


def keys_of(ids):
    """Lines whose records were made by a call that was killed before its answer came: by the names that it gave them."""
    keys, offset, named = {}, 0, [None] * AT_ONCE
    about = [["model", "=", settings["model"]], ["res_id", "in", ids]]
    while ids and len(named) == AT_ONCE:
        named = kontor.model("sys.external.id").search_read(about, ["external_id", "res_id"], offset=offset)
        own = [row for row in named if row["external_id"].startswith(prefix + ".")]
        keys.update((row["res_id"], row["external_id"][len(prefix) + 1:]) for row in own)
        offset += AT_ONCE
    return keys


def to_line(record, key=None):
    """What Kontor has, with what was changed here since both were the same."""
    theirs = {name: record.get(name) for name in fields}
    key = key or f"k{record['id']}"
    row = store.row_of(record["id"]) or store.rows.get(key)
    if row is None:
        return {"put": {"key": key, "id": record["id"], "values": theirs, "base": theirs}}
    values, conflict, base = dict(theirs), [], row.get("base") or {}
    for name in changed_of(row):
        ours = row["values"].get(name)
        if theirs[name] == base.get(name):
            values[name] = ours
        elif theirs[name] != ours:
            conflict.append({"key": row["key"], "field": name, "theirs": theirs[name], "ours": ours})
    line = {"put": {**row, "id": record["id"], "values": values, "base": theirs}}
    return {**line, "conflict": conflict} if conflict else line


def pull():
    try:
        for changes, cursor in kontor.follow(store.cursor, [settings["model"]], until_quiet=True):
            theirs = [change["id"] for change in changes if change["change_set"] not in store.change_sets]
            look(theirs, [{"cursor": cursor}])
            say("pulled", len(changes))
    except ConflictError as error:
        # The cursor is too old, or of a database that was restored since.
        if error.reason is None:
            raise
        begin()


def look(given, others=()):
    """Reads records again; those that are not found are gone."""
    ids = list(dict.fromkeys(given))
    found = records.search_read([*domain, ["id", "in", ids]], fields) if ids else []
    there = {record["id"] for record in found}
    gone = [store.row_of(id)["key"] for id in ids if id not in there and store.row_of(id)]
    take(found, [{"drop": key} for key in gone] + list(others))


def push():
    """True where something was sent: what others did meanwhile may have to be looked at again."""
    rows = list(store.rows.values())
    gone = [row for row in rows if row.get("isGone")]
    fresh = [row for row in rows if not row.get("id") and not row.get("isGone")]
    changed = [row for row in rows if row.get("id") and not row.get("isGone") and changed_of(row)]
    for some in in_parts(fresh):
        create(some)
    for some in in_parts(changed):
        write(some)
    for some in in_parts(gone):
        unlink(some)
    return bool(fresh or gone or changed)


def create(rows):
    """A call that was repeated after a kill finds its records by their names, and makes none twice."""
    receipt = records.receipt.create_many(
        [{**settings.get("always", {}), **row["values"]} for row in rows],
        external_ids=[f"{prefix}.{row['key']}" for row in rows],
        upsert=True,
    )
    lines = [{"put": {**row, "id": id, "base": row["values"]}} for row, id in zip(rows, receipt.result)]
    store.append(lines + [{"changeSet": receipt.change_set}])
    say("created", len(rows))


def write(rows):
    each = []
    for row in rows:
        base, names = row.get("base") or {}, changed_of(row)
        values = {name: row["values"].get(name) for name in names}
        each.append({"id": row["id"], "values": values, "base": {name: base.get(name) for name in names}})
    try:
        receipt = records.receipt.write_each(each)
    except (ConflictError, NotFoundError) as error:
        lost = [error.id] if isinstance(error, ConflictError) else error.missing_ids
        if not lost or lost == [None]:
            raise
        # Somebody was faster: what they wrote is taken first, and the others go on without it.
        look(lost)
        rest = [row for row in rows if row["id"] not in lost]
        return write(rest) if rest else None
    store.append([{"put": {**row, "base": row["values"]}} for row in rows] + [{"changeSet": receipt.change_set}])
    say("wrote", len(rows))


def unlink(given):
    unknown = [f"{prefix}.{row['key']}" for row in given if not row.get("id")]
    found = records.by_external_id(unknown) if unknown else {}
    every = [{**row, "id": row.get("id") or found.get(f"{prefix}.{row['key']}")} for row in given]
    store.append([{"drop": row["key"]} for row in every if not row["id"]])
    rows = [row for row in every if row["id"]]
    if not rows:
        return None
    try:
        receipt = records.receipt.unlink([row["id"] for row in rows])
    except NotFoundError as error:
        missing = set(error.missing_ids)
        store.append([{"drop": row["key"]} for row in rows if row["id"] in missing])
        rest = [row for row in rows if row["id"] not in missing]
        return unlink(rest) if rest else None
    store.append([{"drop": row["key"]} for row in rows] + [{"changeSet": receipt.change_set}])
    say("deleted", len(rows))


if store.cursor is None:
    begin()
pull()
while push():
    pull()
store.tidy()
say("done", len(store.rows), "lines", len(store.conflicts), "conflicts")
