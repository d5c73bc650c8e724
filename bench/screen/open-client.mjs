import { chromium } from 'playwright-core';
import { findChromium } from '../../scripts/find-chromium.mjs';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--js-flags=--expose-gc'];

/** A browser in front of the measured server, and windows of a signed-in person in it. */
export async function openClient(world) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: flags });
  const url = world.server.url;
  const cookie = await signIn(url, world.people.admin);
  return {
    /** A window with nothing in its cache. */
    async open() {
      const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
      await context.addCookies([{ ...cookie, url }]);
      const page = await context.newPage();
      await page.addInitScript(inPage);
      return page;
    },
    close: () => browser.close(),
  };
}

export async function settled(page) {
  await page.waitForFunction(() => window.__KONTOR_IDLE__ === true);
}

async function signIn(url, { email, password }) {
  const answer = await fetch(`${url}/web/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: email, password }),
  });
  if (!answer.ok) throw new Error(`Nobody could sign in: ${answer.status}`);
  const [name, value] = answer.headers.getSetCookie()[0].split(';')[0].split('=');
  return { name, value };
}

/** What the measures call in the page: all of it ends with a frame that has been drawn. */
function inPage() {
  const drawn = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const after = new MessageChannel();
        after.port1.onmessage = () => resolve(performance.now());
        after.port2.postMessage(null);
      });
    });
  const appears = async (selector) => {
    while (!document.querySelector(selector)) await new Promise(requestAnimationFrame);
    return drawn();
  };
  window.bench = {
    appears,
    /** From a click to what it brings on the screen. */
    async switchTo(click, selector) {
      const from = performance.now();
      document.querySelector(click).click();
      return (await appears(selector)) - from;
    },
    /** From each key to the frame that shows it. */
    watchKeys() {
      const found = [];
      window.addEventListener('keydown', (event) => void drawn().then((at) => found.push(at - event.timeStamp)), true);
      window.bench.keys = found;
    },
    /** The length of each frame while a box is scrolled by so much a frame. */
    async scroll(selector, distance, step) {
      const box = document.querySelector(selector);
      const frames = [];
      let last = await new Promise(requestAnimationFrame);
      for (let done = 0; done < distance; done += step) {
        box.scrollTop += step;
        const now = await new Promise(requestAnimationFrame);
        frames.push(now - last);
        last = now;
      }
      return frames;
    },
    /** Goes through the screens of a model so many times: a record, back, the cards, back to the list. */
    async work(times) {
      const idle = async () => {
        while (window.__KONTOR_IDLE__ !== true) await new Promise(requestAnimationFrame);
      };
      const step = async (go, selector) => {
        go();
        await appears(selector);
        await idle();
      };
      const click = (selector) => () => document.querySelector(selector).click();
      for (let done = 0; done < times; done += 4) {
        const row = (done / 4) % 12;
        await step(click(`[data-row="${row}"] .list-link`), '.form-sheet input');
        await step(() => history.back(), '.list-row .list-link');
        await step(click('.seg a[aria-label="Kanban"]'), '.kanban-card');
        await step(click('.seg a[aria-label="List"]'), '.list-row .list-link');
      }
    },
    /** The same for what scrolls around or in an element: so much a frame or, as by the scroll bar, the whole of it in these frames. */
    async scrollBy({ box, step, isWhole, frames }) {
      const isScrolling = (one) =>
        one.scrollHeight > one.clientHeight + 8 && /auto|scroll/.test(getComputedStyle(one).overflowY);
      let element = document.querySelector(box);
      while (!isScrolling(element)) element = element.parentElement;
      const found = [];
      let last = await new Promise(requestAnimationFrame);
      for (let frame = 1; frame <= frames; frame++) {
        if (isWhole) element.scrollTop = ((element.scrollHeight - element.clientHeight) * frame) / frames;
        else element.scrollTop += step;
        const now = await new Promise(requestAnimationFrame);
        found.push(now - last);
        last = now;
      }
      return found;
    },
  };
}
