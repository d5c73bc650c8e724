import { bytes, file, head, html, htmlPart, multipart, type OddMessage, plain, textPart } from './message.ts';

export const bodies: readonly OddMessage[] = [
  {
    name: 'text and HTML of the same: HTML is shown',
    raw: multipart('alternative', [textPart('plain'), htmlPart('<p>rich</p>')]),
    is: { shown: '<p>rich</p>', files: [] },
  },
  { name: 'HTML only', raw: html('<p>Hi <b>you</b></p>'), is: { shown: '<p>Hi <b>you</b></p>' } },
  {
    name: 'scripts, styles and handlers',
    raw: html('<style>p{}</style><script>x()</script><p onclick="x()">Hi<iframe src="https://e.test"></iframe></p>'),
    is: { shown: '<p>Hi</p>' },
  },
  { name: 'a link that runs a script', raw: html('<a href="javascript:x()">Hi</a>'), is: { shown: '<a>Hi</a>' } },
  {
    name: 'a form',
    raw: html('<form action="https://e.test"><input name="p"><p>Hi</p></form>'),
    is: { shown: '<p>Hi</p>' },
  },
  {
    name: 'a picture that phones home is a link',
    raw: html('<p>Hi <img src="https://e.test/a.png" alt="Logo"></p>'),
    is: { shown: '<p>Hi <a href="https://e.test/a.png">[Logo]</a></p>' },
  },
  {
    name: 'a tracking pixel is nothing',
    raw: html('<p>Hi<img width="1" height="1" src="https://e.test/a.gif"></p>'),
    is: { shown: '<p>Hi<span></span></p>' },
  },
  {
    name: 'a background picture',
    raw: html('<div style="background:url(https://e.test/a.png)" background="https://e.test/b.png">Hi</div>'),
    is: { shown: '<div>Hi</div>' },
  },
  {
    name: 'an address without a scheme',
    raw: html('<a href="//e.test/x">Hi</a><img src="//e.test/a.png">'),
    is: { shown: '<a>Hi</a><span></span>' },
  },
  {
    name: 'an inline picture is a file',
    raw: multipart('related', [
      htmlPart('<p>See <img src="cid:p1"></p>'),
      file('p.png', 'image/png', 'PNG', 'Content-ID: <p1>\n'),
    ]),
    is: { shown: '<p>See <span></span></p>', files: ['p.png image/png'] },
  },
  {
    name: 'a conditional comment of Outlook',
    raw: html('<!--[if mso]><p>no</p><![endif]--><p>yes</p>'),
    is: { shown: '<p>yes</p>' },
  },
  { name: 'tags that are never closed', raw: html('<p><b>Hi'), is: { shown: '<p><b>Hi\n</b></p>' } },
  { name: 'text with angle brackets', raw: plain('1 < 2 & <b>'), is: { shown: '<p>1 &lt; 2 &amp; &lt;b&gt;</p>' } },
  {
    name: 'an address in text',
    raw: plain('See https://x.test/a?b=1.'),
    is: { shown: '<p>See <a href="https://x.test/a?b=1">https://x.test/a?b=1</a>.</p>' },
  },
  {
    name: 'text that wraps by format=flowed',
    raw: bytes(`${head}Content-Type: text/plain; charset=utf-8; format=flowed\n\none \ntwo\n`),
    is: { shown: '<p>one two</p>' },
  },
];

const history = '\nOn Monday, Bob <bob@kontor.test> wrote:\n> Hello\n>\n> Bob\n';
export const folds: readonly OddMessage[] = [
  {
    name: 'quoted history below',
    raw: plain(`Yes.\n${history}`),
    is: {
      shown: '<p>Yes.</p>',
      folded: '<p>On Monday, Bob &lt;bob@kontor.test&gt; wrote:<br>&gt; Hello<br>&gt;<br>&gt; Bob</p>',
    },
  },
  {
    name: 'an introduction on two lines',
    raw: plain('Yes.\n\nOn Monday, Bob\n<bob@kontor.test> wrote:\n> Hello'),
    is: { shown: '<p>Yes.</p>' },
  },
  {
    name: 'quoted history above',
    raw: plain('Am Montag schrieb Bob:\n> Hallo\n\nJa.'),
    is: { shown: '<p>Ja.</p>', folded: '<p>Am Montag schrieb Bob:<br>&gt; Hallo</p>' },
  },
  {
    name: 'answers between quotations stay',
    raw: plain('> One?\nYes.\n> Two?\nNo.'),
    is: { shown: '<p>&gt; One?<br>Yes.<br>&gt; Two?<br>No.</p>', folded: '' },
  },
  {
    name: 'a signature',
    raw: plain('Yes.\n\n-- \nAda\nExample Ltd'),
    is: { shown: '<p>Yes.</p>', folded: '<p>-- <br>Ada<br>Example Ltd</p>' },
  },
  {
    name: 'the line of Outlook',
    raw: plain('Ja.\n\n-----Ursprüngliche Nachricht-----\nVon: Bob\n\nHallo'),
    is: { shown: '<p>Ja.</p>' },
  },
  { name: 'only a quotation is shown', raw: plain('> Hello'), is: { shown: '<p>&gt; Hello</p>', folded: '' } },
  {
    name: 'the quotation of Gmail',
    raw: html(
      '<div>Yes.</div><div class="gmail_quote"><div>On Monday wrote:</div><blockquote>Hello</blockquote></div>',
    ),
    is: { shown: '<div>Yes.</div>', folded: '<div><div>On Monday wrote:</div><blockquote>Hello</blockquote></div>' },
  },
  {
    name: 'the quotation of Thunderbird, answered below',
    raw: html(
      '<div class="moz-cite-prefix">On Monday wrote:</div><blockquote type="cite"><p>Hello</p></blockquote><p>Yes.</p>',
    ),
    is: { shown: '<p>Yes.</p>' },
  },
  {
    name: 'the separator of Outlook',
    raw: html(
      '<div><p>Yes.</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: Bob</div><p>Hello</p></div>',
    ),
    is: { shown: '<div><p>Yes.</p></div>' },
  },
  {
    name: 'the signature of Gmail',
    raw: html('<p>Yes.</p><div class="gmail_signature">Ada</div>'),
    is: { shown: '<p>Yes.</p>', folded: '<div>Ada</div>' },
  },
  {
    name: 'a forwarded message without own words is shown',
    raw: html('<div class="gmail_quote">Forwarded: Hello</div>'),
    is: { shown: '<div>Forwarded: Hello</div>', folded: '' },
  },
  {
    name: 'elements that are not stored keep their folds',
    raw: html('<main><p>Yes.</p></main><section class="gmail_quote"><article>Hello</article></section>'),
    is: { shown: '<p>Yes.</p>', folded: '<div>Hello</div>' },
  },
];
