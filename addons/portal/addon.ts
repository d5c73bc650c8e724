import { defineAddon } from '@kontor/addon';
import { portalLink as linkModel } from './models/link.ts';
import { portalPartner } from './models/partner.ts';
import { portalSignature } from './models/signature.ts';
import { portalTexts } from './portal-texts.ts';
import { portalRoutes } from './routes.ts';
import { customerActs } from './visits/customer-acts.ts';

export { portalLink } from './links/make-link.ts';
export { portalActions } from './links/share-actions.ts';
export type * from './models/link.ts';
export type * from './models/signature.ts';
export { currentSignature } from './pages/read-page.ts';

export default defineAddon({
  models: [linkModel, portalSignature, portalPartner],
  routes: portalRoutes,
  notices: [customerActs],
  texts: portalTexts,
});
