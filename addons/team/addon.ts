import { defineAddon } from '@kontor/addon';
import { saleTeam, teamUser } from './models/team.ts';

export { type SaleTeam, teamOf, teamPaths } from './models/team.ts';

export default defineAddon({ models: [saleTeam, teamUser] });
