import { callAs } from '../world/first-run.mjs';

/** A process of its own, so that nothing but the server delays its reads: searches until it is told to stop, then tells how long each took. */
process.once('message', async ({ url, headers }) => {
  let isOver = false;
  process.once('message', () => {
    isOver = true;
  });
  const read = () =>
    callAs(url, headers, { model: 'core.partner', method: 'search', args: [[]], kwargs: { limit: 20 } });
  // The first one also opens the connection.
  await read();
  const times = [];
  while (!isOver) {
    const startedAt = performance.now();
    await read();
    times.push(performance.now() - startedAt);
  }
  process.send(times, () => process.disconnect());
});
