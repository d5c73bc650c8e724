import { expect, it } from 'vitest';
import { isTaxId } from '../taxes/tax-id.ts';

const published = {
  ...{
    AT: 'ATU12011204',
    BE: 'BE0203201340',
    BG: 'BG175074752',
    CZ: 'CZ45274649',
    DE: 'DE811569869',
    DK: 'DK13585628',
  },
  ...{ EE: 'EE100594102', ES: 'ESA28015865', FI: 'FI20774740', FR: 'FR40303265045', GR: 'EL094259216' },
  ...{ HR: 'HR33392005961', HU: 'HU12892312', IE: 'IE6388047V', IT: 'IT00743110157', LU: 'LU15027442' },
  ...{ MT: 'MT11679112', NL: 'NL004495445B01', PL: 'PL5260001246', PT: 'PT501964843', RO: 'RO18547290' },
  ...{ SE: 'SE556703748501', SI: 'SI50223054', SK: 'SK2022749619' },
};
/** The countries whose check digits notice every wrong digit. */
const exact = 'AT BE DE DK EE ES FI FR GR HR HU IE IT LU MT PL PT SI SK'.split(' ');

it('SAL-39 tax ids that are in use are taken, however they are written, and only for their country', () => {
  for (const [country, id] of Object.entries(published)) {
    expect(isTaxId(id, country), id).toBe(true);
    expect(isTaxId(` ${id.toLowerCase().replace(/(..)/, '$1 ').replace(/(.)$/, '-$1')}`, country), id).toBe(true);
    // Those of Romania have any length.
    if (country !== 'RO') expect(isTaxId(id.slice(0, -1), country), id).toBe(false);
    expect(isTaxId(id, country === 'DE' ? 'FR' : 'DE'), id).toBe(false);
  }
  for (const [country, id] of [
    ...[['NL', 'NL000099998B57'] as const, ['ES', 'ES54362315K'] as const, ['ES', 'ESX2482300W'] as const],
    ['IE', 'IE3628739UA'] as const,
  ])
    expect(isTaxId(id, country), id).toBe(true);
  expect([
    isTaxId('CHE 123 456 789 MWST', 'CH'),
    isTaxId('', 'CH'),
    isTaxId(null, 'DE'),
    isTaxId('12-3456789', null),
  ]).toEqual([...[true, false, false, true]]);
});

it('SAL-39 a wrong digit is noticed where the country has check digits', () => {
  for (const country of exact) {
    const id = published[country as keyof typeof published];
    for (let at = 2; at < id.length; at++) {
      if (!/\d/.test(id[at] ?? '')) continue;
      for (const digit of '0123456789') {
        const wrong = `${id.slice(0, at)}${digit}${id.slice(at + 1)}`;
        expect(isTaxId(wrong, country), wrong).toBe(wrong === id);
      }
    }
  }
});
