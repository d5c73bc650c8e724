import type { ImportTarget } from '@kontor/protocol';
import { expect, it } from 'vitest';
import { proposeMapping } from '../import/guess-fields.ts';

const target = (name: string, label: string, type = 'char'): ImportTarget => ({
  name,
  label,
  type,
  required: false,
  unique: false,
});
const targets = [
  target('name', 'Title'),
  target('partner_id', 'Customer', 'many2one'),
  target('date_order', 'Ordered on', 'date'),
  target('note', 'Terms'),
];

it.each([
  ['technical names, whatever the case', ['NAME', 'note'], { NAME: 'name', note: 'note' }],
  ['labels', ['Customer', 'ordered ON'], { Customer: 'partner_id', 'ordered ON': 'date_order' }],
  ['how others write relations', ['partner_id/id', 'x'], { 'partner_id/id': 'partner_id' }],
  ['near misses', ['Custommer', 'Ordred on'], { Custommer: 'partner_id', 'Ordred on': 'date_order' }],
  ['a label before what is nearly one', ['Customers', 'Customer'], { Customer: 'partner_id' }],
  ['a name before a label', ['Title', 'name'], { name: 'name' }],
  ['nothing for what is like none', ['Colour', ''], {}],
])('IMP-3 proposes %s', (_, headers, mapping) => {
  expect(proposeMapping(headers, targets).mapping).toEqual(mapping);
});

it('IMP-30 says of each column how its field was recognised, and guesses nothing from a name that is only vaguely similar', () => {
  const street = { ...target('street2', 'Street, second line'), words: ['Zusatz', 'Adresszusatz'] };
  const known = [...targets, street];
  const headers = ['Title', 'Zusatz', 'Custommer', 'Umsatz', 'Note', 'Erms', 'Nota'];
  expect(proposeMapping(headers, known).guesses).toEqual({
    Title: { field: 'name', by: 'same' },
    Zusatz: { field: 'street2', by: 'known' },
    Custommer: { field: 'partner_id', by: 'similar' },
    Note: { field: 'note', by: 'same' },
  });
  expect(proposeMapping(['Umsatz'], known).mapping).toEqual({});
  expect(proposeMapping(['Nota'], known).guesses).toEqual({ Nota: { field: 'note', by: 'similar' } });
});
