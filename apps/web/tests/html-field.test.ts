import { htmlPolicy } from '@kontor/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { htmlSchema } from '../fields/html/schema.ts';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('the schema of the editor', () => {
  const specs = [...Object.values(htmlSchema.nodes), ...Object.values(htmlSchema.marks)].map(({ spec }) => spec);
  const tags = specs.flatMap(({ parseDOM = [] }) => parseDOM.map((rule) => rule.tag?.replace(/\[.*/, '') ?? ''));

  it('REC-10 holds every element that the server keeps, and no other', () => {
    const known = [...new Set(tags), 'div', 'span'].sort();
    expect(known).toEqual([...htmlPolicy.tags].sort());
  });
});

describe('a formatted text', () => {
  let app: TestApp;
  let page: TestPage;
  let id: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], keepsClient: true });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    id = await app.rpc<number>('crm.lead', 'create', [{ name: 'Oak', description: null }]);
    page = await app.open({ path: `/web?model=crm.lead&view_type=form&id=${id}` });
    await box().click();
  });
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const box = () => page.page.getByRole('textbox', { name: 'Notes' });
  const tool = (name: string) =>
    page.page.getByRole('toolbar', { name: 'Format of Notes' }).getByRole('button', { name, exact: true });
  const saved = async () => {
    await page.press('Control+s');
    const [lead] = await app.rpc<{ description: string | null }[]>('crm.lead', 'read', [[id], ['description']]);
    return lead?.description;
  };
  /** Pastes what another program put on the clipboard. */
  const paste = (html: string) =>
    box().evaluate((element, given) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', given);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, html);

  long('is written with marks, headings, lists and quotes, by button and by key', async () => {
    await page.type('Call ');
    await page.press('Control+b');
    expect(await tool('Bold').getAttribute('aria-pressed')).toBe('true');
    await page.type('back');
    await page.press('Control+b');
    await page.type(' soon');
    await page.press('Enter');
    await page.click(tool('Heading'));
    await page.type('Plan');
    await page.press('Enter');
    await page.click(tool('Bullets'));
    await page.type('one');
    await page.press('Enter');
    await page.type('two');
    await page.press('Control+]');
    await page.press('Enter');
    await page.press('Enter');
    await page.press('Enter');
    await page.type('> last');
    expect(await saved()).toBe(
      '<p>Call <b>back</b> soon</p><h3>Plan</h3><ul><li><p>one</p><ul><li><p>two</p></li></ul></li></ul><blockquote><p>last</p></blockquote>',
    );
  });

  long('undoes and redoes step by step, and saves null when no text is left', async () => {
    await page.type('First');
    await page.click(tool('Bullets'));
    expect(await box().locator('li').count()).toBe(1);
    await page.press('Control+z');
    expect(await box().locator('li').count()).toBe(0);
    await page.press('Control+Shift+z');
    expect(await saved()).toBe('<ul><li><p>First</p></li></ul>');
    await page.press('Control+a');
    await page.press('Delete');
    await page.press('Backspace');
    expect(await saved()).toBeNull();
  });

  long('REC-10 is cleaned when it is pasted, as the server would', async () => {
    await paste(
      `<meta charset="utf-8"><script>window.wasRun = true</script><style>p { color: red }</style>
       <h2 style="color:red" onclick="window.wasRun = true">Head</h2>
       <p class="MsoNormal">a<img src="x" onerror="window.wasRun = true"><b>b</b> <a href="javascript:alert(1)">bad</a>
       <a href="https://example.com/" target="_top">good</a></p>
       <table><tbody><tr><td colspan="2">cell</td></tr></tbody></table>`,
    );
    const html = await saved();
    expect(html).toContain('<h2>Head</h2>');
    expect(html).toContain('<a href="https://example.com/" rel="noopener">good</a>');
    expect(html).toContain('<td colspan="2"><p>cell</p></td>');
    expect(html).toContain('bad');
    expect(html).not.toMatch(/javascript|onclick|onerror|MsoNormal|style|script|img|color/);
    expect(await page.page.evaluate('window.wasRun')).toBeUndefined();
    // The browser notes what the policy of the page kept from running while it was parsed.
    page.forgive(/Content Security Policy/);
    await page.checkAccessible();
  });

  long('REC-10 keeps lists and tables that are pasted from Word and from spreadsheets', async () => {
    const item = (level: number, marker: string, text: string) =>
      `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
      style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>`;
    await paste(
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><!--StartFragment-->${item(1, '·', 'one')}${item(2, 'a.', 'inner')}${item(1, '·', 'two')}
       <p class=MsoNormal>Then</p>${item(1, '1.', 'first')}<!--EndFragment--></body></html>`,
    );
    expect(await saved()).toBe(
      '<ul><li><p>one</p><ol><li><p>inner</p></li></ol></li><li><p>two</p></li></ul><p>Then</p><ol><li><p>first</p></li></ol>',
    );
    await page.press('Control+a');
    await paste(
      `<google-sheets-html-origin><style>td {border: 1px solid #ccc}</style><table cellspacing="0" style="width:0px"><colgroup><col width="100"></colgroup>
       <tbody><tr style="height:21px"><td style="font-weight:bold">Item</td><td>Price</td></tr></tbody></table></google-sheets-html-origin>`,
    );
    expect(await saved()).toContain('<table><tbody><tr><td><p>Item</p></td><td><p>Price</p></td></tr></tbody></table>');
    page.forgive(/Content Security Policy/);
  });

  long('keeps links: of the selection, at the caret, changed and removed, and never to a script', async () => {
    const address = page.page.getByRole('textbox', { name: 'Link address' });
    const choose = async (href: string) => {
      await page.click(tool('Link'));
      await address.fill(href);
      await page.press('Enter');
    };
    await page.type('See');
    await page.press('Control+a');
    await choose('javascript:alert(1)');
    await page.page.getByRole('alert').filter({ hasText: 'Enter a link' }).waitFor();
    await address.fill('https://example.com/a');
    await page.press('Enter');
    expect(await saved()).toBe('<p><a href="https://example.com/a" rel="noopener">See</a></p>');
    await choose('https://example.com/b');
    expect(await saved()).toBe('<p><a href="https://example.com/b" rel="noopener">See</a></p>');
    await page.click(tool('Link'));
    await page.click(page.page.getByRole('button', { name: 'Remove the link' }));
    expect(await saved()).toBe('<p>See</p>');
  });

  long('keeps the caret when the value comes back as it was written', async () => {
    await page.type('One');
    expect(await saved()).toBe('<p>One</p>');
    await page.type(' two');
    expect(await saved()).toBe('<p>One two</p>');
  });

  it('SCN-94 reads by its own letters, paragraph by paragraph', async () => {
    await page.type('English');
    await page.press('Enter');
    await page.type('שלום עולם');
    const starts = await box()
      .locator('p')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).unicodeBidi));
    expect(starts).toEqual(['plaintext', 'plaintext']);
    expect(await saved()).toBe('<p>English</p><p>שלום עולם</p>');
  });

  long('leaves Tab to the form', async () => {
    await page.type('Text');
    await page.press('Tab');
    expect(await box().evaluate((element) => element === document.activeElement)).toBe(false);
  });
});
