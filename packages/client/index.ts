/** The one door for the browser code of addons. At run time the page's own client stands behind this name. */
export * from '@kontor/web';
