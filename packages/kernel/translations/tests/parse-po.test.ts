import { describe, expect, it } from 'vitest';
import { PoError, parsePo } from '../parse-po.ts';

describe('parsePo', () => {
  it('reads messages, contexts, plurals, texts over several lines and escapes', () => {
    const entries = parsePo(
      [
        'msgid ""',
        'msgstr "Language: de_DE\\n"',
        '',
        '# a remark',
        '#: views/order.xml:3',
        'msgid "Save"',
        'msgstr "Speichern"',
        'msgctxt "client"',
        'msgid "{n} record"',
        'msgid_plural "{n} records"',
        'msgstr[0] "{n} Datensatz"',
        'msgstr[1] ""',
        '"{n} "',
        '"Datensätze"',
        '#, fuzzy',
        'msgid "A \\"word\\"\\nand a \\\\"',
        'msgstr "x"',
      ].join('\n'),
    );
    expect(entries).toEqual([
      { context: null, id: '', plural: null, strings: ['Language: de_DE\n'], isFuzzy: false, line: 1, comments: [] },
      {
        context: null,
        id: 'Save',
        plural: null,
        strings: ['Speichern'],
        isFuzzy: false,
        line: 6,
        comments: ['# a remark', '#: views/order.xml:3'],
      },
      {
        context: 'client',
        id: '{n} record',
        plural: '{n} records',
        strings: ['{n} Datensatz', '{n} Datensätze'],
        isFuzzy: false,
        line: 8,
        comments: [],
      },
      {
        context: null,
        id: 'A "word"\nand a \\',
        plural: null,
        strings: ['x'],
        isFuzzy: true,
        line: 16,
        comments: ['#, fuzzy'],
      },
    ]);
  });

  it.each([
    ['msgid "a"\nmsgstr "b', 2],
    ['msgid "a"', 1],
    ['msgstr "b"', 1],
    ['"a"', 1],
    ['\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr "c"', 3],
    ['msgid "a"\nmsgid_plural "b"\nmsgstr[1] "c"', 1],
    ['msgid "a"\nmsgstr "b"\nmsgstr "c"', 3],
    ['msgid "a\\q"\nmsgstr "b"', 1],
    ['nonsense', 1],
  ])('TRL-1 names the line of a mistake: %j', (source, line) => {
    let error: unknown;
    try {
      parsePo(source);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PoError);
    expect((error as PoError).line).toBe(line);
  });
});
