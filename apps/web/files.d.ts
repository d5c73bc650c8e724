declare module '*.css';
declare module '@fontsource-variable/inter/wght.css';
/** The address that the build gives to a file. */
declare module '*.json?url' {
  const address: string;
  export default address;
}
