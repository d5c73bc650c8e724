import { errorCatalogue } from '@kontor/protocol';
import { checkAddon, checkTranslations, serverTexts } from '@kontor/testing';

const root = new URL('../../..', import.meta.url).pathname;
const rooms = ['protocol', 'database', 'orm', 'views', 'kernel', 'parts', 'workspace', 'exchange'].map(
  (name) => `${root}/packages/${name}`,
);

/** The kernel and the server have no words of their own: the ground that all stand on has them. */
const also = [
  ...serverTexts([...rooms, `${root}/apps/server`]),
  ...Object.values(errorCatalogue).map(({ message }) => message),
];

checkAddon(import.meta.url);
checkTranslations(import.meta.url, ['de_DE', 'fr_FR', 'ar'], { also });
