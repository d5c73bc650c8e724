import { describe, expect, it } from 'vitest';
import { mergePo, type WantedMessage } from '../merge-po.ts';
import { parsePo } from '../parse-po.ts';

const message = (id: string, context: string | null = null, plural: string | null = null): WantedMessage => ({
  context,
  id,
  plural,
});

const file = `# The translations of a library.
msgid ""
msgstr "Language: de_DE\\n"

msgid "Shelf"
msgstr "Regal"

# The translator asks: of a person or of a book?
#, fuzzy
msgid "Name"
msgstr "Nahme"

msgid "Book"
msgstr "Buch"

msgctxt "client"
msgid "Turn the page"
msgstr "Umblättern"
`;
const all = [message('Shelf'), message('Name'), message('Book'), message('Turn the page', 'client')];

describe('the merge of a wordbook', () => {
  it('TRL-13 leaves a file that has every text as it is', () => {
    expect(mergePo(file, 'de_DE', all)).toEqual({ text: file, added: [], removed: [], untranslated: 1 });
  });

  it('TRL-13 adds new texts in order, each in its context, and moves nothing', () => {
    const more = [
      ...all,
      message('Novel'),
      message('{n} page', 'client', '{n} pages'),
      message('Zebra'),
      message('Fiction', 'data'),
    ];
    const merged = mergePo(file, 'de_DE', more);
    expect(merged.added.map(({ id }) => id)).toEqual(['Novel', 'Zebra', '{n} page', 'Fiction']);
    const ids = parsePo(merged.text).map(({ id }) => id);
    expect(ids).toEqual(['', 'Novel', 'Shelf', 'Name', 'Book', 'Zebra', 'Turn the page', '{n} page', 'Fiction']);
    expect(merged.text).toContain('msgid_plural "{n} pages"\nmsgstr[0] ""\nmsgstr[1] ""');
    expect(merged.text).toContain('# The translator asks: of a person or of a book?\n#, fuzzy\nmsgid "Name"');
    expect(mergePo(merged.text, 'de_DE', more)).toMatchObject({ text: merged.text, added: [], removed: [] });
  });

  it('TRL-13 keeps unused translations as obsolete, and uses them again', () => {
    const without = mergePo(file, 'de_DE', [message('Book')]);
    expect(without.removed.map(({ id }) => id)).toEqual(['Shelf', 'Name', 'Turn the page']);
    expect(parsePo(without.text).map(({ id }) => id)).toEqual(['', 'Book']);
    expect(without.text).toContain('#~ msgid "Shelf"\n#~ msgstr "Regal"');
    // A fuzzy translation was never accepted.
    expect(without.text).not.toContain('Nahme');
    expect(mergePo(without.text, 'de_DE', [message('Book')]).text).toBe(without.text);
    const back = mergePo(without.text, 'de_DE', [message('Book'), message('Turn the page', 'client')]);
    expect(parsePo(back.text).at(-1)).toMatchObject({ id: 'Turn the page', strings: ['Umblättern'] });
    expect(back.text).not.toContain('#~ msgctxt');
  });

  it('TRL-13 writes every character so that it reads the same', () => {
    const ids = ['A "word"\nand a \\', 'tab\there', 'Two\n\nparagraphs\n', '# no comment'];
    const { text } = mergePo(
      null,
      'ar',
      ids.map((id) => message(id)),
    );
    expect(new Set(parsePo(text).map(({ id }) => id))).toEqual(new Set(['', ...ids]));
    const obsolete = mergePo(text.replaceAll('msgstr ""\n\n', 'msgstr "x"\n\n'), 'ar', []);
    expect(
      mergePo(
        obsolete.text,
        'ar',
        ids.slice(0, 1).map((id) => message(id)),
      ).untranslated,
    ).toBe(0);
  });
});
