import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface WindowOptions {
  readonly size?: 'desk' | 'tablet' | 'phone';
  readonly theme?: 'light' | 'dark';
  /** What the browser asks pages for. */
  readonly locale?: string;
}

/** Windows that share nothing with each other: each has cookies and storage of its own. */
export interface Windows {
  take(options: WindowOptions): Promise<Page>;
  /** Empties a window for whoever wants one like it; a process that has read the client's code is quick to show it again. */
  giveBack(page: Page): Promise<void>;
  closeAll(): Promise<void>;
}

const sizes = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 1180, height: 820 },
  phone: { width: 390, height: 844 },
} as const;
/** Says nothing and runs nothing, on the server's own origin, so that its process stays. */
const quietPath = '/api/health';

/** What tests listen to. */
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

export function openWindows(browser: Browser, url: string): Windows {
  const free = new Map<string, Page[]>();
  const kinds = new Map<BrowserContext, Required<WindowOptions>>();
  return {
    async take({ size = 'desk', theme = 'light', locale = 'en-US' }) {
      const kind = { size, theme, locale };
      const waiting = free.get(JSON.stringify(kind))?.pop();
      if (waiting) return waiting;
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
      // As long as a test may take: a busy machine is no failure.
      context.setDefaultTimeout(150_000);
      kinds.set(context, kind);
      return context.newPage();
    },
    async giveBack(page) {
      const context = page.context();
      const kind = kinds.get(context);
      const isWhole = kind && !page.isClosed() && context.pages().length === 1;
      if (!isWhole || !(await empty(page, url, sizes[kind.size]))) return context.close();
      const key = JSON.stringify(kind);
      const others = (free.get(key) ?? []).filter((other) => other !== page);
      free.set(key, [...others, page]);
    },
    async closeAll() {
      await Promise.all([...kinds.keys()].map((context) => context.close()));
    },
  };
}

/** False when the window cannot be made as good as new: the server is gone, or the page does not let go. */
async function empty(page: Page, url: string, size: { width: number; height: number }): Promise<boolean> {
  const context = page.context();
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false)]);
  const answer = await page.goto(quietPath).catch(() => null);
  if (!answer?.ok() || context.pages().length > 1) return false;
  for (const event of heard) {
    page.removeAllListeners(event);
    context.removeAllListeners(event);
  }
  await page.evaluate('sessionStorage.clear()');
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
  await context.clearCookies();
  await devtools.send('Page.resetNavigationHistory');
  await devtools.detach();
  await page.mouse.move(-1, -1);
  await page.setViewportSize(size);
  return true;
}
