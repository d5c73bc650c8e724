/** A paged query. Answers to another key are never shown. */
export interface PageQuestion<T> {
  readonly key: string;
  /**
   * Loads rows from an offset on; fewer than requested at the end. `isQuiet`: all of these positions already show a
   * row.
   */
  ask(range: PageRange, options: { readonly isQuiet: boolean; readonly signal: AbortSignal }): Promise<readonly T[]>;
}

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** The visible range, inclusive, and the total number of rows. */
export interface Sight {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

interface PagesOptions {
  readonly pageSize: number;
  /** Concurrent requests. With 1, the next request is for what is visible by then. */
  readonly atOnce?: number;
  /** Adjacent pages per request. */
  readonly pagesPerRequest?: number;
  /** Called when a request fails. */
  readonly onError?: (error: unknown, isQuiet: boolean) => void;
}

/** One result, of which some pages are loaded. */
interface Run<T> {
  question: PageQuestion<T>;
  /** By position; holes are not loaded. */
  rows: readonly (T | undefined)[];
  /** Increased when everything loaded may be outdated. */
  epoch: number;
  /** The epoch in which each shown page was requested. */
  readonly answered: Map<number, number>;
  /** Pages whose last request failed; they are requested again on the next `fetchSeen`. */
  readonly failed: Set<number>;
  readonly controller: AbortController;
  sight: Sight | null;
}

interface PageRequest<T> {
  readonly run: Run<T>;
  readonly pages: readonly number[];
  readonly epoch: number;
}

/** Rows by the name of their run: a list has one run, a kanban one per column, a grouped list one per group. */
export interface Pages<T> {
  /** Sets the query: another key starts empty, the same key keeps its rows until they are loaded again. */
  setQuestion(name: string, question: PageQuestion<T>): void;
  /** Adds rows that came another way, such as with the screen. A page is fresh if all of it came. */
  put(name: string, offset: number, rows: readonly T[], total: number): void;
  /** Sets the visible range (null: nothing is visible), and requests pages in it that are neither fresh nor loading. */
  see(name: string, sight: Sight | null): void;
  /** Requests visible pages, including those whose last request failed. */
  fetchSeen(): void;
  has(name: string): boolean;
  /** Rows beyond the total may be outdated. */
  rows(name: string): readonly (T | undefined)[];
  /** True if all visible rows were loaded since the query was set. */
  isComplete(name: string): boolean;
  /** Shows rows in another order before the server confirms it. */
  arrange(name: string, rows: readonly (T | undefined)[]): void;
  names(): readonly string[];
  /** Removes a run, and cancels its requests. */
  drop(name: string): void;
  /** Calls the listener when rows arrive. */
  subscribe(listener: () => void): () => void;
}

/**
 * Loads long results page by page as they become visible. No page can get lost: an answer counts only for the query it
 * was requested for, and only until that is asked again; a later answer is never replaced by an earlier one; and after
 * each answer, everything still visible is requested.
 */
export function createPages<T>(options: PagesOptions): Pages<T> {
  const { pageSize } = options;
  const runs = new Map<string, Run<T>>();
  const listeners = new Set<() => void>();
  const next = createAsker(options, runs, () => {
    for (const listener of [...listeners]) listener();
  });
  const drop = (name: string) => {
    runs.get(name)?.controller.abort();
    runs.delete(name);
  };
  return {
    setQuestion(name, question) {
      const run = runs.get(name);
      if (run?.question.key === question.key) return renew(run, question);
      drop(name);
      runs.set(name, emptyRun(question));
    },
    put(name, offset, rows, total) {
      const run = runs.get(name);
      if (!run) return;
      run.rows = withRows(run.rows.slice(0, total), offset, rows);
      const end = offset + rows.length;
      for (let page = Math.ceil(offset / pageSize); page * pageSize < end; page++)
        if (Math.min((page + 1) * pageSize, total) <= end) run.answered.set(page, run.epoch);
    },
    see(name, sight) {
      const run = runs.get(name);
      if (run) run.sight = sight;
      next();
    },
    fetchSeen() {
      for (const run of runs.values()) run.failed.clear();
      next();
    },
    has: (name) => runs.has(name),
    rows: (name) => runs.get(name)?.rows ?? [],
    isComplete(name) {
      const run = runs.get(name);
      return run !== undefined && pagesInSight(run, pageSize).every((page) => isFresh(run, page));
    },
    arrange(name, rows) {
      const run = runs.get(name);
      if (run) run.rows = rows;
    },
    names: () => [...runs.keys()],
    drop,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Returns the function that requests the next visible pages: called when something becomes visible, and after each
 * answer.
 */
function createAsker<T>(options: PagesOptions, runs: ReadonlyMap<string, Run<T>>, onRows: () => void): () => void {
  const { pageSize, atOnce = 1, onError } = options;
  const requests = new Set<PageRequest<T>>();
  const isLive = ({ run }: PageRequest<T>) => !run.controller.signal.aborted;
  const next = () => {
    for (const run of runs.values()) {
      while ([...requests].filter(isLive).length < atOnce) {
        const pages = wantedPages(run, requests, options);
        if (pages.length === 0) break;
        void send({ run, pages, epoch: run.epoch });
      }
    }
  };
  const send = async (request: PageRequest<T>) => {
    const { run, pages } = request;
    const range = { offset: (pages[0] as number) * pageSize, limit: pages.length * pageSize };
    const isQuiet = !hasHole(run, range);
    const { signal } = run.controller;
    requests.add(request);
    try {
      const found = await run.question.ask(range, { isQuiet, signal });
      if (signal.aborted) return;
      take(request, found, pageSize);
      onRows();
    } catch (error) {
      if (signal.aborted) return;
      if (request.epoch === run.epoch) for (const page of pages) run.failed.add(page);
      onError?.(error, isQuiet);
    } finally {
      requests.delete(request);
      next();
    }
  };
  return next;
}

function emptyRun<T>(question: PageQuestion<T>): Run<T> {
  const known = { rows: [], answered: new Map<number, number>(), failed: new Set<number>() };
  return { question, ...known, epoch: 0, controller: new AbortController(), sight: null };
}

/** The same query again: loaded rows stay, and visible ones are loaded again. */
function renew<T>(run: Run<T>, question: PageQuestion<T>): void {
  run.question = question;
  run.epoch++;
  run.failed.clear();
}

function isFresh<T>({ answered, epoch }: Run<T>, page: number): boolean {
  return answered.get(page) === epoch;
}

/** The first adjacent visible pages to request; none if nothing is left to load. */
function wantedPages<T>(
  run: Run<T>,
  requests: ReadonlySet<PageRequest<T>>,
  { pageSize, pagesPerRequest = 1 }: PagesOptions,
): readonly number[] {
  // Requests of an earlier epoch may return outdated rows, so they do not count.
  const own = [...requests].filter((one) => one.run === run && one.epoch === run.epoch);
  const isAsked = (page: number) => own.some(({ pages }) => pages.includes(page));
  const wanted = pagesInSight(run, pageSize).filter(
    (page) => !isFresh(run, page) && !run.failed.has(page) && !isAsked(page),
  );
  const [first = 0] = wanted;
  return wanted.filter((page, at) => page === first + at).slice(0, pagesPerRequest);
}

function pagesInSight<T>({ sight }: Run<T>, pageSize: number): readonly number[] {
  if (!sight) return [];
  const [first, last] = [Math.max(0, sight.first), Math.min(sight.last, sight.total - 1)];
  if (last < first) return [];
  const page = Math.floor(first / pageSize);
  return Array.from({ length: Math.floor(last / pageSize) - page + 1 }, (_, at) => page + at);
}

function hasHole<T>({ rows, sight }: Run<T>, { offset, limit }: PageRange): boolean {
  const end = Math.min(offset + limit, sight?.total ?? 0);
  for (let at = offset; at < end; at++) if (rows[at] === undefined) return true;
  return false;
}

/** Keeps pages that a later request has already answered. */
function take<T>({ run, pages, epoch }: PageRequest<T>, found: readonly T[], pageSize: number): void {
  for (const [at, page] of pages.entries()) {
    if ((run.answered.get(page) ?? -1) > epoch) continue;
    const rows = Array.from({ length: pageSize }, (_, row) => found[at * pageSize + row]);
    run.rows = withRows(run.rows, page * pageSize, rows);
    run.answered.set(page, epoch);
  }
}

function withRows<T>(before: readonly (T | undefined)[], offset: number, found: readonly (T | undefined)[]) {
  const rows = [...before];
  for (const [at, row] of found.entries()) rows[offset + at] = row;
  // A result that ends early has no positions after its end.
  while (rows.length > 0 && rows[rows.length - 1] === undefined) rows.pop();
  return rows;
}
