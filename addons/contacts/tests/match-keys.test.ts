import { describe, expect, it } from 'vitest';
import { emailKey, matchKeys, nameKey, phoneKey } from '../duplicates/match-keys.ts';
import { groupSame } from '../duplicates/scan-duplicates.ts';

const nobody = { emails: [], phones: [] };

describe('what makes two contacts alike', () => {
  it.each([
    ['Ada Lovelace', 'LOVELACE, Ada', false],
    ['José Muñoz', 'Jose  Munoz', false],
    ['Weiß & Söhne GmbH', 'Weiss Söhne', true],
    ["O'Brien Ltd.", 'OBrien Limited', true],
    ['Ångström AB', 'Angstrom', true],
  ])('CON-2 the names %s and %s', (one, other, isCompany) => {
    expect(nameKey(one, isCompany)).toBe(nameKey(other, isCompany));
  });

  it.each([
    ['रवि', 'राव', false],
    ['Kai AG', 'Kai', false],
    ['東京商事', '京東商事', true],
    ['AG', 'SA', true],
  ])('CON-2 but not the names %s and %s', (one, other, isCompany) => {
    expect(nameKey(one, isCompany)).not.toBe(nameKey(other, isCompany));
  });

  it.each([
    ['+49 30 901820', '030/901820', '49'],
    ['0049 (0)30 901820', '+49 30 901820', null],
    ['+1 (555) 010-2030', '1-555-010-2030', '1'],
    ['(555) 010-2030 ext. 7', '555.010.2030', '1'],
    ['+39 06 698 12345', '06 69812345', '39'],
    ['+47 22 12 34 56', '22 12 34 56', '47'],
  ])('CON-2 the numbers %s and %s', (one, other, code) => {
    expect(phoneKey(one, code)).toBe(phoneKey(other, code));
    expect(phoneKey(one, code)).not.toBeNull();
  });

  it('CON-2 e-mails in any case; what is no address or number does not count', () => {
    expect(emailKey(' Ada@Example.com ')).toBe('ada@example.com');
    expect([emailKey('unknown'), emailKey(null), phoneKey('n/a', '49'), phoneKey('110', '49')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('CON-2 the number and address of the company do not make its people alike', () => {
    const person = {
      name: 'Ada',
      isCompany: false,
      emails: ['info@example.com', 'ada@example.com'],
      phones: ['+49 30 901820'],
      callingCode: '49',
      shared: { emails: ['Info@example.com'], phones: ['030 901820'] },
    };
    expect(matchKeys(person)).toEqual(['email:ada@example.com', 'name:ada']);
    expect(matchKeys({ ...person, shared: nobody })).toContain('phone:4930901820');
  });

  it('CON-2 likeness goes on from one to the next, and stays inside one company', () => {
    const groups = groupSame([
      { id: 4, companyId: null, keys: ['email:a', 'name:x'] },
      { id: 9, companyId: null, keys: ['email:a', 'phone:1'] },
      { id: 2, companyId: null, keys: ['phone:1'] },
      { id: 5, companyId: 1, keys: ['email:a'] },
      { id: 6, companyId: 1, keys: ['name:x'] },
      { id: 7, companyId: 1, keys: ['name:x'] },
    ]);
    expect(groups).toEqual([
      { ids: [2, 4, 9], companyId: null, alike: new Set(['email', 'phone']) },
      { ids: [6, 7], companyId: 1, alike: new Set(['name']) },
    ]);
  });
});
