/** A body on its way to the relay. */
export interface Upload {
  /** Tells how many bytes the body takes by now. */
  hold(bytes: number): void;
  /** The body is there as a whole: it is not given up any more, and counts until it is released. */
  arrived(): void;
  /** Nothing of the body is kept any more. */
  release(): void;
}

/** Why a body is given up. */
export type GivenUp = "crowded-out" | "closed";

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
  /** How to give up each that has not arrived, the oldest first. */
  readonly #onTheirWay = new Map<Upload, (why: GivenUp) => void>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Begins with a body; `giveUp` is called when it has to go. */
  begin(giveUp: (why: GivenUp) => void): Upload {
    let held = 0;
    const change = (bytes: number) => {
      this.#bytes += bytes - held;
      held = bytes;
    };
    const upload: Upload = {
      hold: (bytes) => {
        change(uploadBytes + bytes);
        this.#makeRoom();
      },
      arrived: () => this.#onTheirWay.delete(upload),
      release: () => {
        this.#onTheirWay.delete(upload);
        change(0);
      },
    };
    this.#onTheirWay.set(upload, giveUp);
    upload.hold(0);
    return upload;
  }

  /** Gives up all that have not arrived: nobody will take them. */
  close(): void {
    for (const [upload, giveUp] of this.#onTheirWay) {
      upload.release();
      giveUp("closed");
    }
  }

  #makeRoom(): void {
    for (const [upload, giveUp] of this.#onTheirWay) {
      if (this.#bytes <= this.#maxBytes) return;
      upload.release();
      giveUp("crowded-out");
    }
  }
}
