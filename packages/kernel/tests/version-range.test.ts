import { describe, expect, it } from 'vitest';
import type { Addon } from '../addons/catalogue.ts';
import { dependencyOrder } from '../addons/dependency-order.ts';
import { checkKontorRange, checkManifest } from '../addons/manifest.ts';
import { isInRange, isVersionRange } from '../addons/version-range.ts';
import { kontorVersion } from '../kontor-version.ts';

describe('PKG-7 the versions of other addons that an addon works with', () => {
  const addon = (name: string, extra: object = {}): [string, Addon] => {
    const manifest = checkManifest({ name, label: name, version: '1.1.0', ...extra }, name, 'manifest.json');
    return [name, { name, folder: `/addons/${name}`, isShipped: false, manifest, hasCode: false }];
  };

  it('stand behind their names in the manifest, and one that is not there refuses to load', () => {
    const catalogue = new Map([addon('shelf'), addon('library', { depends: ['shelf@^1.0'] })]);
    expect(catalogue.get('library')?.manifest).toMatchObject({ depends: ['shelf'], ranges: { shelf: '^1.0' } });
    expect(dependencyOrder(catalogue, ['library'])).toEqual(['shelf', 'library']);
    const newer = new Map([...catalogue, addon('shelf', { version: '2.0.0' })]);
    expect(() => dependencyOrder(newer, ['library'])).toThrow(
      'library: manifest.json: "library" asks for shelf ^1.0, and here is shelf 2.0.0.',
    );
    expect(() => addon('library', { depends: ['shelf@new'] })).toThrow('"depends" must be a list of addon names');
    expect(() => addon('library', { depends: ['shelf@^1.0', 'shelf'] })).toThrow('"shelf" is twice in "depends".');
  });
});

describe('PKG-4 the versions of Kontor that an addon is made for', () => {
  it.each([
    ['^1.0', ['1.0.0', '1.4.2'], ['0.9.9', '2.0.0']],
    ['^1.2.3', ['1.2.3', '1.9.0'], ['1.2.2', '2.0.0']],
    ['^0.2', ['0.2.0', '0.2.9'], ['0.3.0', '1.0.0']],
    ['^0.0.3', ['0.0.3'], ['0.0.4', '0.0.2']],
    ['~1.2', ['1.2.0', '1.2.9'], ['1.3.0']],
    ['~1', ['1.0.0', '1.9.9'], ['2.0.0']],
    ['>=1.2 <3', ['1.2.0', '2.9.9'], ['1.1.9', '3.0.0']],
    ['>1.2', ['1.3.0'], ['1.2.5']],
    ['<=1.2', ['1.2.5', '0.1.0'], ['1.3.0']],
    ['1.x', ['1.0.0', '1.7.0'], ['2.0.0']],
    ['1.4 || ^2.1', ['1.4.7', '2.1.0'], ['1.5.0', '2.0.0']],
    ['*', ['0.0.1', '9.0.0'], []],
    ['1.0.0', ['1.0.0'], ['1.0.1']],
  ])('%s', (range, inside, outside) => {
    expect(inside.filter((version) => !isInRange(version, range))).toEqual([]);
    expect(outside.filter((version) => isInRange(version, range))).toEqual([]);
  });

  it('takes no text that is no range', () => {
    expect(['latest', '^one', '', '1.0-beta', '>= '].filter(isVersionRange)).toEqual([]);
  });

  it('refuses an addon that is made for another Kontor, and a range that is none', () => {
    const given = { name: 'library', label: 'Library', version: '1.0.0', depends: ['base'] };
    const manifest = checkManifest({ ...given, kontor: '^9.1' }, 'library', 'manifest.json');
    expect(() => checkKontorRange(manifest)).toThrow(
      `library: manifest.json: It requires Kontor ^9.1, but this is Kontor ${kontorVersion()}.`,
    );
    checkKontorRange(checkManifest({ ...given, kontor: '^0.1' }, 'library', 'manifest.json'));
    expect(() => checkManifest({ ...given, kontor: 'newest' }, 'library', 'manifest.json')).toThrow(
      '"kontor" must be a range of versions such as "^0.1", not "newest".',
    );
  });
});
