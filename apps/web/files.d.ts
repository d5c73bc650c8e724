declare module '*.css';
/** The URL that the build gives to a file. */
declare module '*.json?url' {
  const address: string;
  export default address;
}
