"""broken_mechanisms.py - what is wrong with the files in broken_mechanisms/: line, column, sentence;
or, where the start cannot be assembled, the object and what contradicts."""

FAULTS = {
    "beam_to_nothing": (10, 32, "there is no body or marker 'road'; did you mean 'rod'?"),
    "beam_without_length": (10, 3, "beam 'blade': points 1 and 2 of the line coincide"),
    "density_and_inertia": (5, 24, "body 'rod' has a density: its inertia follows from the shape"),
    "density_without_shape": (5, 9, "body 'rod' has a density but no shape with a volume"),
    "faulty_joint_moved": (8, 63, "knee: the axis is zero"),
    "force_in_metres": (10, 42, "the value has the dimension m, expected is N"),
    "force_of_a_number": (10, 42, "body 'rod' has no 'mass'; it has x, y, z, vx .., wx .., and of bodies q0 .. q3"),
    "force_of_reaction": (10, 43,
        "'pin.force.x' is a reaction and cannot stand in a force; give it a name under "
        "variables"),
    "gear_without_angle": (9, 24,
        "wheels: joint 'knee' is spherical and has no coordinate of its own"),
    "impossible_inertia": (5, 18,
        "body 'rod': no body has this inertia: every principal moment is positive and "
        "at most the sum of the other two"),
    "joint_key": (8, 80, "knee is of type revolute, which has no 'pitch'"),
    "joint_to_itself": (8, 26, "knee: both ends are on the same body"),
    "measure_of_nothing": (9, 23, "there is no body or marker 'crank.top'"),
    "mesh_cut": (5, 56,
        "body 'rod': the mesh 'parts/cut.stl': line 25: a vertex needs three numbers"),
    "mesh_missing": (5, 62, "cannot read 'parts/none.stl': No such file or directory"),
    "mesh_open": (5, 56,
        "body 'rod': the mesh 'parts/open.stl': the surface is not closed: it has 3 "
        "open edges"),
    "missing_table": (10, 59, "'gust' is not a table of this model"),
    "motion_of_spherical": (10, 11,
        "drive: joint 'knee' is spherical and has no coordinate of its own"),
    "no_axis": (8, 26, "knee: with bodies an 'axis' is needed"),
    "no_ends": (8, 3, "knee: it needs 'bodies' or 'markers'"),
    "no_inertia": (5, 3, "body 'rod' needs its inertia; a mass that cannot turn is of type: point"),
    "no_mass": (5, 3, "body 'rod': it needs a mass, or a density and a shape"),
    "no_place": (8, 26, "knee: with bodies the point 'at' is needed"),
    "parallel_axes": (5, 76, "rod: the axes of the orientation are zero or parallel"),
    "point_with_marker": (5, 62, "'rod' is a point: it has no markers beside itself"),
    "spring_at_one_point": (10, 3,
        "force 'strut': both ends are at the same place at the start: the line between "
        "them has no direction"),
    "spring_without_length": (10, 25, "strut: both ends are on the same body"),
    "two_motions": (11, 3, "motions 'drive' and 'brake' both move joint 'pin'"),
    "unknown_body": (8, 42, "there is no body or marker 'rodd'; did you mean 'rod'?"),
    "unknown_force_key": (10, 65, "strut is of type spring, which has no 'torque'"),
    "unknown_joint": (10, 18, "there is no joint 'pim'; did you mean 'pin'?"),
    "unknown_marker": (8, 37, "there is no body or marker 'crank.ends'; did you mean 'crank.end'?"),
    "x_along_axis": (8, 63, "knee: the axis is zero, or x is parallel to it"),
    "zero_axis": (8, 63, "knee: the axis is zero"),
    "zero_mass": (5, 15, "mass: 0 is out of range: it must be greater than 0"),
    "zero_quaternion": (5, 76, "rod: the quaternion is zero"),
}

CONTRADICTIONS = {
    "contradictory_motions": ("joint 'weld'",
        "the rates that joint 'weld', motion 'drive' ask for contradict each other"),
    "loop_cannot_close": ("joint 'knee'",
        "joint 'knee', joint 'pin', joint 'lid' cannot be closed together"),
    "motion_against_start": ("motion 'drive'",
        "joint 'weld', motion 'drive' cannot be closed together"),
    "rods_too_short": ("joint 'knee'",
        "joint 'knee', joint 'pin', joint 'tie' cannot be closed together"),
}
