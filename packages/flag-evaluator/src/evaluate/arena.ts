const PAGE = 65_536;
/** How many more there are each time memory grows. */
const SPARE_PAGES = 4;
/** Whoever copies whole vectors reads and writes so much beyond an end. */
const MARGIN = 16;
/** Far below where addresses have a sign. Whoever needs more has flags with large variations in very many outcomes. */
const MOST_BYTES = 2 ** 29;

/** The memory of a WebAssembly module. It is handed out piece by piece, and never taken back. */
export class Arena {
  readonly memory: WebAssembly.Memory = new WebAssembly.Memory({ initial: 4 });
  bytes: Uint8Array<ArrayBuffer>;
  words: Int32Array<ArrayBuffer>;
  doubles: Float64Array<ArrayBuffer>;
  #next: number;

  constructor(firstFree: number) {
    this.#next = firstFree;
    const { buffer } = this.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }

  /** The address of so many bytes, all zero. All views of the memory may be others afterwards. Throws a RangeError where there is no room. */
  allocate(size: number): number {
    const at = this.#next;
    if (at + size > MOST_BYTES) throw new RangeError("there is no memory for so many outcomes");
    this.#next = Math.ceil((at + size + MARGIN) / MARGIN) * MARGIN;
    const missing = this.#next - this.bytes.length;
    if (missing > 0) this.#grow(Math.ceil(missing / PAGE) + SPARE_PAGES);
    return at;
  }

  #grow(pages: number): void {
    this.memory.grow(pages);
    const { buffer } = this.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }
}
