/** The only door for the browser code of addons. At run time it resolves to the client in the page. */
export * from '@kontor/web';
