import { expect, it } from 'vitest';
import { Html, html } from '../pages/html.ts';

it('BOO-16 a value in a page is text, and so is one that only looks like markup', () => {
  const stored: unknown = JSON.parse('{ "markup": "<script>alert(1)</script>" }');
  expect(html`<p title="${'"><b>'}">${stored}${['<i>', null, false, 0]}</p>`.markup).toBe(
    '<p title="&#34;&#62;&#60;b&#62;">[object Object]&#60;i&#62;0</p>',
  );
  expect(html`<ul>${['a', '&'].map((each) => html`<li>${each}</li>`)}${new Html('<hr>')}</ul>`.markup).toBe(
    '<ul><li>a</li><li>&#38;</li><hr></ul>',
  );
});
