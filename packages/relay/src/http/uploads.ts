/** Why a body is given up. */
export type GivenUp = "crowded-out" | "closed";

/** A body on its way to the relay. */
export interface Upload {
  /** What it counts for. Kept by `Uploads`. */
  counted: number;
  /** Called when it has to go; it is counted no more then. */
  giveUp(why: GivenUp): void;
}

/** What a request costs while its body is on its way. */
const uploadBytes = 1024;

/**
 * Bounds what the bodies that are on their way take together, however many clients send them and however slowly. When
 * there is not room for all, the one that has been on its way longest is given up: what comes at a usual pace has
 * arrived before it is its turn.
 */
export class Uploads {
  readonly #maxBytes: number;
  #bytes = 0;
  /** Those that have not arrived, the oldest first. */
  readonly #onTheirWay = new Set<Upload>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Begins with a body. */
  begin(upload: Upload): void {
    this.#onTheirWay.add(upload);
    this.hold(upload, 0);
  }

  /** Tells how many bytes a body takes by now. */
  hold(upload: Upload, bytes: number): void {
    this.#count(upload, uploadBytes + bytes);
    this.#makeRoom();
  }

  /** A body is there as a whole: it is not given up any more, and counts until it is released. */
  arrived(upload: Upload): void {
    this.#onTheirWay.delete(upload);
  }

  /** Nothing of a body is kept any more. */
  release(upload: Upload): void {
    this.#onTheirWay.delete(upload);
    this.#count(upload, 0);
  }

  /** Gives up all that have not arrived: nobody will take them. */
  close(): void {
    for (const upload of this.#onTheirWay) {
      this.release(upload);
      upload.giveUp("closed");
    }
  }

  #count(upload: Upload, bytes: number): void {
    this.#bytes += bytes - upload.counted;
    upload.counted = bytes;
  }

  #makeRoom(): void {
    for (const upload of this.#onTheirWay) {
      if (this.#bytes <= this.#maxBytes) return;
      this.release(upload);
      upload.giveUp("crowded-out");
    }
  }
}
