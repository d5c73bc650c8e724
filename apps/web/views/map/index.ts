import { defineView } from '../define-view.ts';

export const mapView = defineView({
  type: 'map',
  label: 'Map',
  icon: 'map',
  load: async () => ({ View: (await import('./view.tsx')).MapView }),
});
