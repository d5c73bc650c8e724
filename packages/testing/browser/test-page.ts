import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../test-env.ts';

/** A browser window. Each step waits until the page is idle. */
export interface TestPage {
  readonly page: Page;
  /** Console errors and warnings with their address, and uncaught failures, so far. */
  readonly problems: string[];
  /** Loads an address and waits until the client has nothing left to do. */
  go(path: string): Promise<void>;
  /**
   * Navigates like a link: the client stays, which takes a fraction of the time of a page load. It reloads what it knows, as after
   * a long time in the background, and so shows earlier changes. A page without a client loads it.
   */
  visit(path: string): Promise<void>;
  /** Waits until the client is idle. */
  idle(): Promise<void>;
  click(target: string | Locator): Promise<void>;
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** By role and accessible name. */
  find(role: Parameters<Page['getByRole']>[0], name?: string | RegExp): Locator;
  text(target: string | Locator): Promise<string>;
  /**
   * Fails with the findings of axe on the screen, by all of its rules or some. Except in the long run, the dark theme is checked
   * only for colours, and a phone for everything else: both are variants of a screen that is fully checked.
   */
  checkAccessible(options?: { readonly only?: readonly string[] }): Promise<void>;
  /** A failed request that a test provokes is logged in the console, perhaps after the test went on: such entries are left out. */
  forgive(pattern: RegExp): void;
  /** The window and its storage are closed. */
  close(): Promise<void>;
}

interface PageParts {
  readonly close: () => Promise<void>;
}

/** Only failures are requested: describing every passing element takes longer than the rules themselves. */
const axeOptions = { reporter: 'no-passes', resultTypes: ['violations'] };
/** Rows of a list are alike: except in the long run only the first ones are checked, since checking all takes most of the time. */
const likeTheFirst = isLong ? [] : ['tbody > tr:nth-child(n + 5)', '[role=listitem]:nth-child(n + 5)'];
const phoneWidth = 600;
/** Rules that depend on the theme. */
const ofColours = ['color-contrast', 'link-in-text-block'];
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly failureSummary: string; readonly html: string }[];
  }[];
}

export function createTestPage(page: Page, { close }: PageParts): TestPage {
  const { problems, forgive } = watchProblems(page);
  const idle = () => untilIdle(page);
  const go = async (path: string) => {
    await page.goto(path);
    await idle();
  };
  const locate = (target: string | Locator) => (typeof target === 'string' ? page.locator(target) : target);
  return {
    page,
    problems,
    idle,
    close,
    go,
    async visit(path) {
      if (await page.evaluate(followLink(path))) await idle();
      else await go(path);
    },
    async click(target) {
      await locate(target).click();
      await idle();
    },
    async press(key) {
      await page.keyboard.press(key);
      await idle();
    },
    async type(text) {
      await page.keyboard.type(text);
      await idle();
    },
    find: (role, name) => page.getByRole(role, name === undefined ? {} : { name }),
    async text(target) {
      // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, without what is hidden.
      return (await locate(target).innerText()).trim();
    },
    async checkAccessible({ only } = {}) {
      const asked = only ? rules(only) : isLong ? everyRule : await rulesThatDiffer(page);
      if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axeSource());
      const options = JSON.stringify({ ...axeOptions, ...asked });
      const context = JSON.stringify({ exclude: likeTheFirst });
      const result = (await page.evaluate(`window.axe.run(${context}, ${options})`)) as AxeResult;
      const said = result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}\n${nodes[0]?.failureSummary}`);
      expect(said).toEqual([]);
    },
    forgive,
  };
}

/** What the console of a page says that is wrong. */
function watchProblems(page: Page): Pick<TestPage, 'problems' | 'forgive'> {
  const problems: string[] = [];
  const forgiven: RegExp[] = [];
  const note = (problem: string) => {
    if (!forgiven.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    note(url === '' ? message.text() : `${message.text()} (${url})`);
  });
  page.on('pageerror', (error) => note(error.stack ?? error.message));
  return {
    problems,
    forgive(pattern) {
      forgiven.push(pattern);
      for (let at = problems.length - 1; at >= 0; at--)
        if (pattern.test(problems[at] as string)) problems.splice(at, 1);
    },
  };
}

/**
 * False in a page without a client. A client that becomes hidden drops its connection to the bus, which may carry an old event, and
 * is busy until the new one is open and everything on screen is reloaded.
 */
const followLink = (path: string) => `window.__KONTOR_IDLE__ !== undefined && (() => {
  document.dispatchEvent(new Event('visibilitychange'));
  const link = document.createElement('a');
  link.href = ${JSON.stringify(path)};
  document.body.append(link);
  link.click();
  link.remove();
  return true;
})()`;

const everyRule = { runOnly: { type: 'tag', values: tags } };
const rules = (values: readonly string[]) => ({ runOnly: { type: 'rule', values } });

/** The rules for this theme and size; all of them for light and wide. */
async function rulesThatDiffer(page: Page): Promise<object> {
  if (await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)) return rules(ofColours);
  if ((page.viewportSize()?.width ?? 0) > phoneWidth) return everyRule;
  return { ...everyRule, rules: Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }])) };
}

/** Asked in one message: `waitForFunction` brings a script of its own into every page, and takes six. */
const whenIdle = `new Promise((resolve) => {
  const look = () => (window.__KONTOR_IDLE__ === true ? resolve(true) : requestAnimationFrame(look));
  look();
})`;
/** The error for a page that was left during a request. */
const left = /Execution context was destroyed|Cannot find context|navigat/;

async function untilIdle(page: Page): Promise<void> {
  for (let isIdle = false; !isIdle; ) {
    isIdle = await page.evaluate<boolean>(whenIdle).catch((error: Error) => {
      if (page.isClosed() || !left.test(error.message)) throw error;
      return false;
    });
  }
}

/** The addon must install it itself: its licence does not let us ship it. */
function axeSource(): string {
  const locate = createRequire(join(process.cwd(), 'package.json'));
  try {
    return readFileSync(locate.resolve('axe-core/axe.min.js'), 'utf8');
  } catch {
    throw new Error('checkAccessible() needs axe-core: npm install --save-dev axe-core');
  }
}
