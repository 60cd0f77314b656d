/** The verdict of a clause, which the host also notes. */
export declare function clause(slot: i32): i32;
/** The verdict of one test of a clause, likewise. */
export declare function test(clause: i32, slot: i32): i32;
/** The verdict of a segment, likewise. */
export declare function segment(slot: i32): i32;
/** Where it is noted what the value of an attribute adds to messages that are hashed; 0 if there is no room. */
export declare function suffix(attribute: i32): i32;
