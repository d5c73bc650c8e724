import type { TestPage } from './test-page.ts';

interface TraceFrame {
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface TraceEvent {
  readonly name: string;
  readonly args: {
    readonly elementCount?: number;
    readonly beginData?: { readonly frame?: string; readonly stackTrace?: readonly TraceFrame[] };
  };
}

interface LayoutWork {
  /** Where the client's own code made the browser lay out, or work styles out, before the frame did. */
  readonly forced: readonly string[];
  /** The most elements whose styles were worked out at once. */
  readonly mostRestyled: number;
}

/** What the browser has to do for layout while `act` runs, as its own trace tells it. */
export async function layoutWork({ page }: TestPage, act: () => Promise<void>): Promise<LayoutWork> {
  const tab = await page.context().newCDPSession(page);
  const frame = (await tab.send('Page.getFrameTree')).frameTree.frame.id;
  const browser = await page.context().browser()?.newBrowserCDPSession();
  if (!browser) throw new Error('This page is in no browser of its own.');
  const events: TraceEvent[] = [];
  browser.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => browser.once('Tracing.tracingComplete', resolve));
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline.stack'];
  await browser.send('Tracing.start', { traceConfig: { includedCategories, excludedCategories: ['*'] } });
  await act();
  await browser.send('Tracing.end');
  await complete;
  await browser.detach();
  await tab.detach();
  const mine = events.filter(({ args }) => args.beginData?.frame === frame);
  const places = mine.flatMap(({ name, args }) => {
    const own = args.beginData?.stackTrace?.find(({ url }) => url.includes('/web/static/'));
    return own ? `${name} ${own.url}:${own.lineNumber}:${own.columnNumber}` : [];
  });
  return {
    forced: places,
    mostRestyled: Math.max(0, ...mine.map(({ args }) => args.elementCount ?? 0)),
  };
}
