/** The dialog that changes a form for everybody, in its own chunk. */
export const loadCustomise = async () => (await import('./dialog.tsx')).CustomiseDialog;
