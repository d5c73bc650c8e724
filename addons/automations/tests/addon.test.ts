import { checkAddon } from '@kontor/testing';

checkAddon(import.meta.url);
