/** Whether a command line only starts the server. */
export function isPlainStart(argv: readonly string[]): boolean {
  const [name = 'start'] = argv;
  const asks = ['--help', '-h', '--version'];
  return (name === 'start' || name.startsWith('-')) && !argv.some((word) => asks.includes(word));
}
