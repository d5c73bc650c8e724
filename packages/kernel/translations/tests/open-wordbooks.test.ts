import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWordbooks, readWordbooks } from '../read-wordbooks.ts';

const refuse = (file: string, line: number, message: string) => new Error(`${file}:${line}: ${message}`);

it('TRL-12 a language is read when it is spoken, from what the file was when the folder was opened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-words-'));
  writeFileSync(join(folder, 'de_DE.po'), 'msgid "Crate"\nmsgstr "Kiste"\n\nmsgctxt "data"\nmsgid "Red"\nmsgstr "Rot"');
  writeFileSync(join(folder, 'fr_FR.po'), 'msgid "Crate"\nmsgstr Caisse');
  await expect(readWordbooks(folder, refuse)).rejects.toThrow('fr_FR.po:2: A text stands in one pair');
  const books = await openWordbooks(folder, refuse);
  rmSync(folder, { recursive: true });
  expect([...books.keys()]).toEqual(['de_DE', 'fr_FR']);
  expect(books.get('de_DE')).toMatchObject({
    words: new Map([['Crate', 'Kiste']]),
    clientWords: new Map(),
    dataWords: new Map([['Red', 'Rot']]),
  });
  // What cannot be read says so to everybody who asks, with its line.
  for (const _ of [1, 2]) expect(() => books.get('fr_FR')?.words).toThrow('fr_FR.po:2: A text stands in one pair');
});
