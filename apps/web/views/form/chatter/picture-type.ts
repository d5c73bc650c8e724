/** Image types that the server serves inline. */
export function isPicture(type: string): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(type);
}
