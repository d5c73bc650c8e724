import { defineModel, fields } from '@kontor/orm';
import { expect, it } from 'vitest';
import { AddonError } from '../../addons/addon-error.ts';
import { moduleWorld } from '../../tests/module-world.ts';

const crate = defineModel('depot.crate' as string, { label: 'Crate', fields: { name: fields.char({}) } });

it.each([
  ['de_DE.po', 'msgid "Crate"\nmsgstr Kiste', 2, 'double quotes'],
  ['de_DE.po', 'msgid "Crate"\nmsgstr "Kiste"\n\nmsgid "Crate"\nmsgstr "Kasten"', 4, 'translated twice'],
  ['de_DE.po', 'msgid "Crate"\nmsgstr "Kiste {n}"', 1, 'no value {n}'],
  ['de_DE.po', 'msgid "{n} crate"\nmsgid_plural "{n} crates"\nmsgstr[0] "{n} Kiste"', 1, '2 forms'],
  ['de_DE.po', 'msgid ""\nmsgstr "Language: fr_FR\\n"', 1, 'Language: fr_FR'],
  ['german.po', '', 1, 'named after its language'],
])('TRL-1 a mistake in %s stops the install with its line: %j', async (file, content, line, message) => {
  const world = await moduleWorld();
  world.write('depot', { [`i18n/${file}`]: content }, { models: [crate] });
  const refused = await world.install(['depot']).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AddonError);
  expect((refused as AddonError).place).toEqual({ addon: 'depot', file: `i18n/${file}`, line });
  expect((refused as AddonError).message).toContain(message);
});

it('TRL-3 only installed modules have a say', async () => {
  const world = await moduleWorld();
  world.write('depot', { 'i18n/de_DE.po': 'msgid "Crate"\nmsgstr "Kiste"' }, { models: [crate] });
  world.write('other', { 'i18n/de_DE.po': 'msgid "Name"\nmsgstr "Benennung"' }, {});
  const { registryIn, translations } = await world.install(['depot']);
  expect(registryIn('de_DE').model('depot.crate').label).toBe('Kiste');
  expect(translations.in('de_DE')('Name')).toBe('Name');
});
