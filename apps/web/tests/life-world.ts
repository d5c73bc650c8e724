import type { TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

interface Person {
  readonly id: number;
  readonly login: string;
  readonly password: string;
}

/** A colleague with every group that there is. */
export async function makePerson(app: TestApp, name: string): Promise<Person> {
  const login = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
  const password = 'another long password';
  const groups = await app.rpc<{ id: number }[]>('core.group', 'search_read', [
    [['key', '!=', 'base.group_portal']],
    [],
  ]);
  const group_ids = [['set', groups.map((group) => group.id)]];
  const id = await app.rpc<number>('core.user', 'create', [{ name, login, email: login, password, group_ids }]);
  return { id, login, password };
}

/** As a person does it: a number looks different once the focus is in it. */
export async function retype(page: TestPage, label: string, text: string): Promise<void> {
  await page.click(page.page.getByLabel(label));
  await page.press('Control+a');
  await page.type(text);
}

declare global {
  interface Window {
    /** When what a test waits for happened, by this browser's clock. */
    lagMoment?: Promise<number>;
  }
}

/** Milliseconds from what one person does to the text on the other's screen, by the clock of their browsers. */
export async function lag(
  from: TestPage,
  to: TestPage,
  selector: string,
  text: string,
  act: () => Promise<unknown>,
): Promise<number> {
  // Both watch before anything is done: on a busy machine it may be over before the other has begun to look.
  await to.page.evaluate(
    ([wanted, words]) => {
      const look = () => [...document.querySelectorAll(wanted)].some((element) => element.textContent?.includes(words));
      if (look()) throw new Error(`"${words}" is there already.`);
      window.lagMoment = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (!look()) return;
          observer.disconnect();
          resolve(Date.now());
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      });
    },
    [selector, text] as const,
  );
  await from.page.evaluate(() => {
    window.lagMoment = new Promise((resolve) => {
      const note = () => resolve(Date.now());
      for (const type of ['keydown', 'pointerdown']) window.addEventListener(type, note, { once: true, capture: true });
    });
  });
  await act();
  const [seen, did] = await Promise.all([to, from].map(({ page }) => page.evaluate(() => window.lagMoment)));
  const ms = Number(seen) - Number(did);
  console.log(`${ms} ms until "${text}" was on the other screen`);
  return ms;
}
