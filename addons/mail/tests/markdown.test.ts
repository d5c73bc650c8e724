import { long } from '@kontor/testing/long';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownToHtml, mentionedIn, plainText } from '../chatter/markdown.ts';

const nameOf = (id: number) => (id === 7 ? 'Ada <b>' : null);
const html = (text: string) => markdownToHtml(text, nameOf);

describe('CHA-2 light Markdown', () => {
  it.each([
    ['one\ntwo\n\nthree', '<p>one<br>two</p><p>three</p>'],
    ['**a** *b* _c_ ~~d~~ `e*f*`', '<p><strong>a</strong> <em>b</em> <em>c</em> <del>d</del> <code>e*f*</code></p>'],
    ['**a _b_**', '<p><strong>a <em>b</em></strong></p>'],
    ['- a\n- b\n1. c', '<ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>'],
    ['> a\n> b', '<blockquote>a<br>b</blockquote>'],
    ['```\n<b>\n**x**\n```\nafter', '<pre><code>&lt;b&gt;\n**x**</code></pre><p>after</p>'],
    ['```\nnever closed', '<pre><code>never closed</code></pre>'],
    ['[x](https://a.example/?b=1&c="2")', '<p><a href="https://a.example/?b=1&amp;c=&quot;2&quot;">x</a></p>'],
    ['see https://a.example/b.', '<p>see <a href="https://a.example/b">https://a.example/b</a>.</p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['a snake_case_name and 2*3*4', '<p>a snake_case_name and 2<em>3</em>4</p>'],
    [
      '@[Ada](user:7) @[No](user:8)',
      '<p><a href="/web?model=core.user&amp;view_type=form&amp;id=7">@Ada &lt;b&gt;</a> @No</p>',
    ],
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    ['', ''],
  ])('CHA-2 %j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it('CHA-2 no text makes a tag of its own', () => {
    const known = /<\/?(?:p|br|ul|ol|li|blockquote|pre|code|strong|em|del|a)(?: href="[^"<>]*")?>/g;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab<>"\'&*_`~[]()@:/-1.\n '), maxLength: 80 }), (text) => {
        expect(html(text).replaceAll(known, '')).not.toMatch(/[<>"]/);
      }),
    );
  });

  long('CHA-2 marks without an end are read in one go, however many', () => {
    // So many that looking at each again for each would not end before the test is given up.
    const characters = 300_000;
    for (const mark of ['*', '_', '`', '[', '~~', '@[', '](', '**a', '> ', 'https://']) {
      expect(html(mark.repeat(characters / mark.length))).toMatch(/^<(p|ul|blockquote|pre)>/);
    }
  });

  it('CHA-5 finds who is mentioned, each once, and says it plainly', () => {
    expect(mentionedIn('@[A](user:7) @[B](user:9) @[A](user:7) @[C](user:x)')).toEqual([7, 9]);
    expect(plainText('**Hi** @[A](user:7),\n> see [this](https://x.example)', () => 'Ada')).toBe('Hi @Ada, see this');
    expect(plainText('x'.repeat(300), () => null)).toHaveLength(200);
  });
});
