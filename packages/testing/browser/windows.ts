import type { Browser, CDPSession, Page } from 'playwright-core';

export interface WindowOptions {
  readonly size?: 'desk' | 'tablet' | 'phone';
  readonly theme?: 'light' | 'dark';
  /** Requests of the browser to pages. */
  readonly locale?: string;
}

/** Windows that share nothing with each other: each has cookies and storage of its own. */
export interface Windows {
  take(options: WindowOptions): Promise<Page>;
  /** Clears a window for reuse; a process that has loaded the client's code shows it again quickly. */
  giveBack(page: Page): Promise<void>;
  /** Reuses a window with its user, once the page has left its screen; false if it cannot, or was changed permanently. */
  rest(page: Page, leave: () => Promise<boolean>): Promise<boolean>;
  /** Closes them; a few are kept for the next file with a server at the same address. */
  closeAll(): Promise<void>;
}

const sizes = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 1180, height: 820 },
  phone: { width: 390, height: 844 },
} as const;
/** An empty page on the server's own origin, so that its process stays alive. */
const quietPath = '/api/health';

/** The events that tests listen to. */
const heard = [
  'console',
  'pageerror',
  'dialog',
  'request',
  'requestfailed',
  'response',
  'websocket',
  'download',
  'popup',
];

/** Permanent changes of a window by a test: it is not reused afterwards. */
const lasting = ['addInitScript', 'exposeBinding', 'exposeFunction', 'newCDPSession'];
/** The number of windows of each kind kept for later files. */
const keptOfKind = 2;

interface OpenWindow {
  readonly page: Page;
  readonly kind: string;
  readonly options: Required<WindowOptions>;
  readonly devtools: CDPSession;
  isFree: boolean;
  isChanged: boolean;
}

/** Free windows of earlier files, by the address of their server. */
const kept = new Map<string, readonly OpenWindow[]>();

export async function openWindows(browser: Browser, url: string): Promise<Windows> {
  const windows = new Set(await takeKept(browser, url));
  const end = async (window: OpenWindow) => {
    windows.delete(window);
    await window.page.context().close();
  };
  const free = async (window: OpenWindow) => {
    if (window.isFree) return;
    if (isWhole(window) && (await empty(window, url))) window.isFree = true;
    else await end(window);
  };
  return {
    async take({ size = 'desk', theme = 'light', locale = 'en-US' }) {
      const options = { size, theme, locale };
      const kind = JSON.stringify(options);
      const waiting = [...windows].findLast((window) => window.isFree && window.kind === kind);
      const window = waiting ?? (await openWindow(browser, url, options));
      window.isFree = false;
      windows.add(window);
      return window.page;
    },
    async giveBack(page) {
      const window = [...windows].find((known) => known.page === page);
      if (window) await free(window);
    },
    async rest(page, leave) {
      const window = [...windows].find((known) => known.page === page);
      if (!window || !isWhole(window)) return false;
      await reconnect(page);
      if (!(await leave())) return false;
      await restore(window);
      await page.evaluate('sessionStorage.clear(); localStorage.clear()');
      return true;
    },
    async closeAll() {
      const left: OpenWindow[] = [];
      for (const window of windows) {
        const isWanted = left.filter(({ kind }) => kind === window.kind).length < keptOfKind;
        if (isWanted) await free(window);
        if (isWanted && window.isFree) left.push(window);
        else await end(window);
      }
      kept.set(url, left);
    },
  };
}

/** Those of the address that are still running; those of another address are useless. */
async function takeKept(browser: Browser, url: string): Promise<readonly OpenWindow[]> {
  const mine = kept.get(url) ?? [];
  const others = [...kept].flatMap(([address, windows]) => (address === url ? [] : windows));
  kept.clear();
  for (const { page } of others) await page.context().close();
  return mine.filter(({ page }) => !page.isClosed() && page.context().browser() === browser);
}

async function openWindow(browser: Browser, url: string, options: Required<WindowOptions>): Promise<OpenWindow> {
  const { size, theme, locale } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: sizes[size],
    hasTouch: size !== 'desk',
    isMobile: size === 'phone',
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale,
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // Long enough for a page to answer. A suite on a busy machine raises it.
  context.setDefaultTimeout(Number(process.env.KONTOR_TEST_WAIT_MS ?? 10_000));
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const window = { page, kind: JSON.stringify(options), options, devtools, isFree: false, isChanged: false };
  for (const target of [page, context] as unknown as Record<string, (...given: unknown[]) => unknown>[]) {
    for (const name of lasting) {
      const change = target[name];
      if (!change) continue;
      target[name] = (...given) => {
        window.isChanged = true;
        return change.apply(target, given);
      };
    }
  }
  return window;
}

function isWhole({ page, isChanged }: OpenWindow): boolean {
  return !isChanged && !page.isClosed() && page.context().pages().length === 1;
}

/** False if the window cannot be cleared completely: the server is gone, or the page does not let go. */
async function empty(window: OpenWindow, url: string): Promise<boolean> {
  const { page, devtools } = window;
  const context = page.context();
  await reconnect(page);
  const answer = await page.goto(quietPath).catch(() => null);
  if (!answer?.ok() || context.pages().length > 1) return false;
  await Promise.all([
    restore(window),
    page.evaluate('sessionStorage.clear()'),
    devtools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' }),
    context.clearCookies(),
  ]);
  return true;
}

async function reconnect(page: Page): Promise<void> {
  const context = page.context();
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false)]);
}

/** Changes of a window by tests, except those that the page stores. */
async function restore({ page, options, devtools }: OpenWindow): Promise<void> {
  const context = page.context();
  for (const event of heard) {
    page.removeAllListeners(event);
    context.removeAllListeners(event);
  }
  await Promise.all([
    devtools.send('Page.resetNavigationHistory'),
    page.mouse.move(-1, -1),
    page.setViewportSize(sizes[options.size]),
    page.emulateMedia({ media: null, colorScheme: options.theme }),
  ]);
}
