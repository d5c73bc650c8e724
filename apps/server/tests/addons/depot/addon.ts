import { defineAddon } from '@kontor/addon';
import { depotCrate } from './models/crate.ts';
import { depotItem } from './models/item.ts';
import { depotShelf } from './models/shelf.ts';

export default defineAddon({ models: [depotShelf, depotItem, depotCrate] });
