/**
 * From now on, until the returned function is called: milliseconds of a processor that the page's own thread had for each frame, by
 * the browser's own trace. The browser is traced as a whole; the thread is the one that drew the most frames.
 */
export async function frameWork(page) {
  const browser = await page.context().browser().newBrowserCDPSession();
  const events = [];
  browser.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => browser.once('Tracing.tracingComplete', resolve));
  const traceConfig = { includedCategories: ['toplevel', 'cc'], excludedCategories: ['*'] };
  await browser.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  return async () => {
    await browser.send('Tracing.end');
    await complete;
    await browser.detach();
    return framesOf(events);
  };
}

function framesOf(events) {
  const drawn = events.filter(({ name, ph }) => name === 'ProxyMain::BeginMainFrame' && ph === 'X');
  const threadOf = ({ pid, tid }) => `${pid}:${tid}`;
  const [thread = '', begun = []] = [...group(drawn, threadOf)].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  const tasks = events
    .filter((one) => one.name === 'ThreadControllerImpl::RunTask' && one.ph === 'X' && threadOf(one) === thread)
    .sort((a, b) => a.ts - b.ts);
  const starts = begun.map(({ ts }) => ts).sort((a, b) => a - b);
  const frames = [];
  let work = 0;
  let at = 0;
  for (const { ts, dur, tdur = dur } of tasks) {
    work += tdur / 1000;
    if (at < starts.length && starts[at] < ts + dur) {
      frames.push(work);
      work = 0;
      while (at < starts.length && starts[at] < ts + dur) at++;
    }
  }
  // The first has what was done before anything moved.
  return frames.slice(1);
}

function group(all, keyOf) {
  const groups = new Map();
  for (const one of all) groups.get(keyOf(one))?.push(one) ?? groups.set(keyOf(one), [one]);
  return groups;
}
