import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

interface Person {
  readonly id: number;
  readonly login: string;
  readonly password: string;
}

/** A colleague with these groups, or with every group that there is. */
export async function makePerson(app: TestApp, name: string, keys?: readonly string[]): Promise<Person> {
  const login = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
  const password = 'another long password';
  const groups = await app.rpc<{ id: number }[]>('core.group', 'search_read', [
    [keys ? ['key', 'in', keys] : ['key', '!=', 'base.group_portal']],
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

/** What one person does is on the other's screen without anybody loading a page: waits until it is there. */
export async function showsUp(
  page: TestPage,
  selector: string,
  text: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const shown = page.page.locator(selector, { hasText: text });
  expect(await shown.count(), `"${text}" is there already.`).toBe(0);
  await act();
  await shown.first().waitFor({ state: 'attached' });
}

/** The window is covered by another one for so many minutes, in which `meanwhile` happens, and is looked at again. */
export async function lookAway(page: Page, minutes: number, meanwhile: () => Promise<unknown>): Promise<void> {
  const show = (isHidden: boolean, later: number) =>
    page.evaluate(
      ([hidden, ms]) => {
        const now = Date.now() + ms;
        Date.now = () => now;
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      },
      [isHidden, later] as const,
    );
  await show(true, 0);
  await meanwhile();
  await show(false, minutes * 60_000);
}
