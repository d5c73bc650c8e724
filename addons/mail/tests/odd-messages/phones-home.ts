import { html, type OddMessage } from './message.ts';

const at = 'https://t.test/';

/** HTML that would tell its sender when and where it is read, or act in the reader's name, and what is left of it. */
const attempts: readonly (readonly [name: string, given: string, shown: string])[] = [
  ['a style with url()', `<p style="background:url(${at}a)">Hi</p>`, '<p>Hi</p>'],
  ['a style with an escaped url()', `<p style="background:u\\72l(${at}a)">Hi</p>`, '<p>Hi</p>'],
  ['a style sheet with @import', `<style>@import url(${at}a);</style><p>Hi</p>`, '<p>Hi</p>'],
  ['a font from elsewhere', `<style>@font-face{src:url(${at}a)}</style><p>Hi</p>`, '<p>Hi</p>'],
  ['a linked style sheet', `<link rel="stylesheet" href="${at}a"><p>Hi</p>`, '<p>Hi</p>'],
  ['a prefetch', `<link rel="dns-prefetch" href="//t.test"><p>Hi</p>`, '<p>Hi</p>'],
  ['srcset', `<p><img srcset="${at}a 1x, ${at}b 2x" alt="A"></p>`, '<p><span>A</span></p>'],
  [
    'a picture with sources',
    `<picture><source srcset="${at}a"><img src="${at}b" alt="B"></picture>`,
    `<a href="${at}b">[B]</a>`,
  ],
  ['a lazy picture', `<img data-src="${at}a" src="x.png" alt="A" loading="lazy">`, '<span>A</span>'],
  ['a picture in capital letters', '<IMG SRC="HTTPS://T.TEST/X" ALT="Up">', '<a href="https://t.test/X">[Up]</a>'],
  ['a picture without a scheme', '<img src="//t.test/a" alt="A">', '<span>A</span>'],
  ['a picture of FTP', '<img src="ftp://t.test/a" alt="A">', '<span>A</span>'],
  ['a picture of a share', '<img src="file://t.test/share/a" alt="A">', '<span>A</span>'],
  ['a meta refresh', `<meta http-equiv="refresh" content="0;url=${at}"><p>Hi</p>`, '<p>Hi</p>'],
  ['another base', `<base href="${at}"><a href="login">Hi</a>`, '<a>Hi</a>'],
  ['a path of this server', '<a href="/web/logout">Hi</a><a href=" ?do=x">you</a>', '<a>Hi</a><a>you</a>'],
  ['SVG with a picture', `<svg><image href="${at}a"/></svg><p>Hi</p>`, '<p>Hi</p>'],
  ['SVG with use', `<svg><use xlink:href="${at}a#b"/></svg><p>Hi</p>`, '<p>Hi</p>'],
  ['SVG with a script', `<svg><script>fetch('${at}')</script></svg><p>Hi</p>`, '<p>Hi</p>'],
  ['SVG that loads', '<svg onload="x()"><animate onbegin="x()"/></svg><p>Hi</p>', '<p>Hi</p>'],
  ['MathML', `<math href="${at}"><mi>x</mi></math>`, 'x'],
  ['a frame with a document', `<iframe srcdoc="<img src=${at}>"></iframe><p>Hi</p>`, '<p>Hi</p>'],
  ['an object', `<object data="${at}a"><p>Hi</p></object>`, '<p>Hi</p>'],
  ['an embedded file', `<embed src="${at}a"><p>Hi</p>`, '<p>Hi</p>'],
  ['a video with a poster', `<video poster="${at}a" src="${at}b" autoplay></video><p>Hi</p>`, '<p>Hi</p>'],
  ['sound', `<audio src="${at}a" autoplay></audio><p>Hi</p>`, '<p>Hi</p>'],
  [
    'the background of a table',
    `<table background="${at}a"><tr><td background="${at}b">Hi</td></tr></table>`,
    '<table><tr><td>Hi</td></tr></table>',
  ],
  ['the background of the body', `<body background="${at}a"><p>Hi</p></body>`, '<p>Hi</p>'],
  ['an input with a picture', `<form action="${at}"><input type="image" src="${at}a">Hi</form>`, 'Hi'],
  ['a button that posts', `<button formaction="${at}">Hi</button>`, 'Hi'],
  ['a ping of a link', `<a href="${at}" ping="${at}ping">Hi</a>`, `<a href="${at}">Hi</a>`],
  ['a script behind entities', '<a href="java&#115;cript:x()">Hi</a>', '<a>Hi</a>'],
  ['a script behind a line feed', '<a href="java\nscript:x()">Hi</a>', '<a>Hi</a>'],
  ['a document in a link', '<a href="data:text/html,<script>x()</script>">Hi</a>', '<a>Hi</a>'],
  ['a picture in a comment that never ends', `<p>Hi</p><!-- <img src="${at}a">`, '<p>Hi</p>'],
  [
    'a picture behind a broken tag',
    `<p>Hi<img src="${at}a" alt="A" <b>you</b></p>`,
    `<p>Hi<a href="${at}a">[A]</a>you</p>`,
  ],
];

export const phonesHome: readonly OddMessage[] = attempts.map(([name, given, shown]) => ({
  name: `HTML that phones home: ${name}`,
  raw: html(given),
  is: { shown, folded: '', files: [] },
}));
