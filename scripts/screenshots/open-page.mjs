const quality = 80;

/** Pages of one look: a window of its own each, with the words a shot is written in. */
export function openPages(browser, world, { width, height, theme }) {
  return {
    async open(isStranger) {
      const context = await browser.newContext({
        baseURL: world.url,
        viewport: { width, height },
        isMobile: width < 640,
        hasTouch: width < 640,
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-US',
        timezoneId: 'UTC',
      });
      context.setDefaultTimeout(20_000);
      if (!isStranger) {
        const [name, value] = world.cookie();
        await context.addCookies([{ name, value, url: world.url }]);
      }
      return pageOf(context, await context.newPage());
    },
  };
}

async function pageOf(context, page) {
  const devtools = await context.newCDPSession(page);
  /** Pages that the server draws have no client to be idle. */
  const settle = () => page.waitForFunction(() => !window.__WC_BOOTSTRAP__ || window.__KONTOR_IDLE__ === true);
  return {
    page,
    settle,
    async go(path) {
      await page.goto(path);
      await settle();
    },
    async click(target) {
      await (typeof target === 'string' ? page.locator(target) : target).first().click();
      await settle();
    },
    async press(key) {
      await page.keyboard.press(key);
      await settle();
    },
    button: (name) => page.getByRole('button', { name }),
    async capture() {
      await page.evaluate(() => document.fonts.ready);
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
      return Buffer.from(data, 'base64');
    },
    close: () => context.close(),
  };
}
