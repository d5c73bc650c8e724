import { checkAddon, checkTranslations } from '@kontor/testing';

checkAddon(import.meta.url);
checkTranslations(import.meta.url, ['de_DE', 'fr_FR', 'ar']);
