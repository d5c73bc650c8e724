/** What is asked for. Answers to another key are never shown. */
export interface PageQuestion<T> {
  readonly key: string;
  /** Rows from an offset on; fewer than asked for where the answer ends. `isQuiet`: all of these places show a row already. */
  ask(range: PageRange, options: { readonly isQuiet: boolean; readonly signal: AbortSignal }): Promise<readonly T[]>;
}

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** Places on screen, first and last included, and how many there are in all. */
export interface Sight {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

interface PagesOptions {
  readonly pageSize: number;
  /** Requests at the same time. With 1, the next one is for what is in sight by then. */
  readonly atOnce?: number;
  /** Neighbouring pages that one request asks for. */
  readonly pagesPerRequest?: number;
  /** Told of an answer that did not come. */
  readonly onError?: (error: unknown, isQuiet: boolean) => void;
}

/** One answer, of which some pages are loaded. */
interface Run<T> {
  question: PageQuestion<T>;
  /** By place; holes are not loaded. */
  rows: readonly (T | undefined)[];
  /** Counts up when everything that was answered may be old. */
  epoch: number;
  /** When each page was asked for that is shown, as an epoch. */
  readonly answered: Map<number, number>;
  /** Pages whose last request failed: they are asked for again when somebody looks. */
  readonly failed: Set<number>;
  readonly controller: AbortController;
  sight: Sight | null;
}

interface PageRequest<T> {
  readonly run: Run<T>;
  readonly pages: readonly number[];
  readonly epoch: number;
}

/** Rows by name of their run: a list has one run, a board one for each column, a grouped list one for each group. */
export interface Pages<T> {
  /** Asks something: another key starts from nothing, the same key keeps its rows until they are answered again. */
  setQuestion(name: string, question: PageQuestion<T>): void;
  /** Rows that came by another way, such as with the screen. A page of them is fresh when all of it came. */
  put(name: string, offset: number, rows: readonly T[], total: number): void;
  /** Tells what is in sight (null: nothing of it), and asks for what of it is neither fresh nor on its way. */
  see(name: string, sight: Sight | null): void;
  /** Asks for what is in sight, also where the last request failed. */
  fetchSeen(): void;
  has(name: string): boolean;
  /** Rows behind the total may be old. */
  rows(name: string): readonly (T | undefined)[];
  /** True when all that is in sight was answered since the question was set. */
  isComplete(name: string): boolean;
  /** Shows rows in another order before the server has them there. */
  arrange(name: string, rows: readonly (T | undefined)[]): void;
  names(): readonly string[];
  /** Forgets a run, and cancels its requests. */
  drop(name: string): void;
  /** Calls back when rows came. */
  subscribe(listener: () => void): () => void;
}

/**
 * Fetches long answers page by page as they come into sight. Every way to lose a page is closed here: an answer counts for the question that it was asked
 * for and only until that is asked again, a later answer is never replaced by an earlier one, and after each answer whatever is still in sight is asked for.
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

/** Returns what asks for the next pages in sight: called when something came into sight, and by itself after each answer. */
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

/** The same is asked again: what is there stays, and is asked for again where it is in sight. */
function renew<T>(run: Run<T>, question: PageQuestion<T>): void {
  run.question = question;
  run.epoch++;
  run.failed.clear();
}

function isFresh<T>({ answered, epoch }: Run<T>, page: number): boolean {
  return answered.get(page) === epoch;
}

/** The first pages in sight to ask for, side by side; none when nothing is left to do. */
function wantedPages<T>(
  run: Run<T>,
  requests: ReadonlySet<PageRequest<T>>,
  { pageSize, pagesPerRequest = 1 }: PagesOptions,
): readonly number[] {
  // What was asked for in an earlier epoch may not hold what is asked for now.
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

/** A page that a later request has answered already stays as it is. */
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
  // An answer that ends early leaves no places behind its end.
  while (rows.length > 0 && rows[rows.length - 1] === undefined) rows.pop();
  return rows;
}
